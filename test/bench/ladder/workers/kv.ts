// A bare KV.get of what the gateway has stored.
interface Env {
  RECORDS: KVNamespace;
  /** How the names begin. */
  PLACE: string;
}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const text = await env.RECORDS.get(env.PLACE + pathname.slice(pathname.lastIndexOf('/') + 1));
    return text === null
      ? new Response(null, { status: 404 })
      : new Response(text, { headers: { 'content-type': 'application/json' } });
  },
} satisfies ExportedHandler<Env>;
