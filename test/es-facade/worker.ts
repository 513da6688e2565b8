// The façade as a Worker of its own; `npm run es-facade` starts it, nothing deploys it.
import { createFacadeApp } from './app.ts';
import { Facade } from './facade.ts';

/** What wrangler.toml declares. */
interface FacadeEnv {
  SEARCH_DB: D1Database;
}

const platform = {
  now: () => Date.now(),
  randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
};

let facade: Facade | undefined;

const app = createFacadeApp(({ SEARCH_DB }: FacadeEnv) => {
  facade ??= new Facade(SEARCH_DB, platform);
  return facade;
});

export default app satisfies ExportedHandler<FacadeEnv>;
