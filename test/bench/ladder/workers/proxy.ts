// A bare proxy: asks the provider with its key and passes the answer on.
interface Env {
  ORIGIN: string;
  KEY: string;
}

export default {
  fetch: (request, env) => {
    const { pathname, search } = new URL(request.url);
    return fetch(env.ORIGIN + pathname + search, { headers: { apikey: env.KEY } });
  },
} satisfies ExportedHandler<Env>;
