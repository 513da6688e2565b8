// The façade as a Worker of its own; `npm run es-facade` starts it, nothing deploys it.
import { createFacadeApp } from './app.ts';
import { Facade } from './facade.ts';

/** What wrangler.toml declares. */
interface FacadeEnv {
  SEARCH_DB: D1Database;
  DOCUMENTS_DB: D1Database;
}

const edges = {
  now: () => Date.now(),
  randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
};

const facades = new WeakMap<D1Database, Facade>();

function facadeOf({ SEARCH_DB, DOCUMENTS_DB }: FacadeEnv): Facade {
  const known = facades.get(SEARCH_DB);
  if (known !== undefined) return known;
  const facade = new Facade({ index: SEARCH_DB, documents: DOCUMENTS_DB }, edges);
  facades.set(SEARCH_DB, facade);
  return facade;
}

const app = createFacadeApp(facadeOf);

export default app satisfies ExportedHandler<FacadeEnv>;
