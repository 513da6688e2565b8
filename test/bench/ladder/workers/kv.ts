// A Worker that only calls KV.get for records that the gateway has stored.
interface Env {
  RECORDS: KVNamespace;
  /** Prefix of the keys. */
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
