// A minimal proxy: calls the provider with its key and passes on the response.
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
