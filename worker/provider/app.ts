// The embedded CDAPI service: an app of its own, reached only by requests, as the real one would be.
import { type Context, Hono } from 'hono';
import { recordOperations } from '../../shared/operations.ts';
import { gatewayError, pathNotFound, ServiceError, serverError } from './answers.ts';
import { answerRecord } from './collect.ts';
import { manageRoutes } from './manage.ts';
import { RecordStore } from './records.ts';

/** What the embedded provider runs on. */
export interface ProviderBindings {
  PROVIDER_DB: D1Database;
  PROVIDER_KEY: string;
}

export type ProviderApp = Hono<{ Bindings: ProviderBindings }>;

/** Refuses requests without the provider's own key, in the words of the service's front gateway. */
async function checkKey(
  c: Context<{ Bindings: ProviderBindings }>,
  next: () => Promise<void>,
): Promise<void> {
  const key = c.req.header('apikey');
  if (!key) throw gatewayError(401, 'No API key found in request');
  if (key !== c.env.PROVIDER_KEY) throw gatewayError(401, 'Unauthorized');
  await next();
}

/**
 * Makes the service below `/cdapi/v2` and, beside it, what only its owner uses.
 * @returns an app to be mounted or called with requests
 */
export function createProvider(): ProviderApp {
  const app: ProviderApp = new Hono();
  app.use(checkKey);
  for (const operation of recordOperations) {
    app.all(`/cdapi${operation.path.replace('{key}', ':key{.+}')}`, (c) => {
      if (c.req.method !== 'GET') return serverError();
      const store = new RecordStore(c.env.PROVIDER_DB);
      return answerRecord(store, operation, c.req.param('key'), new URL(c.req.url).searchParams);
    });
  }
  app.route('/', manageRoutes());
  app.notFound(pathNotFound);
  app.onError((error) => {
    if (error instanceof ServiceError) return error.response();
    console.error(JSON.stringify({ event: 'provider_error', error: error.message }));
    return serverError();
  });
  return app;
}
