// The façade as a separate Worker. `npm run es-facade` starts it; it is never deployed.
import { createFacadeApp } from './app.ts';
import { Facade } from './facade.ts';

/** The bindings in wrangler.toml. */
interface FacadeEnv {
  SEARCH_DB: D1Database;
}

const platform = { now: () => Date.now(), newId: () => crypto.randomUUID() };

let facade: Facade | undefined;

const app = createFacadeApp(({ SEARCH_DB }: FacadeEnv) => {
  facade ??= new Facade(SEARCH_DB, platform);
  return facade;
});

export default app satisfies ExportedHandler<FacadeEnv>;
