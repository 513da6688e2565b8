// Implements the provider's API with fictional records.
import { type Context, Hono } from 'hono';
import { type Operation, operations } from '../../shared/operations.ts';
import { assertDecodableUrl, RequestTextError } from '../lib/request-text.ts';
import { getAccount } from './account/account.ts';
import { parseControl } from './account/control.ts';
import {
  type AccountVariables,
  accountMiddleware,
  correlationMiddleware,
  toRoutePath,
} from './account/middleware.ts';
import { readJson, readText } from './api/json-body.ts';
import { buildOpenApi } from './api/openapi.ts';
import { handlePreview } from './api/preview.ts';
import { toServiceError } from './api/queries.ts';
import { handleRecord, handleSearch } from './api/search.ts';
import { gatewayError, internalError, pathNotFound, ServiceError } from './api/service-errors.ts';
import { sandboxPlatform } from './platform.ts';
import { getRecordRepository } from './record-repository.ts';
import { recordRoutes } from './record-routes.ts';
import type { SandboxBindings } from './requests/requests-object.ts';
import { requestRoutes } from './requests/routes.ts';

type SandboxHono = { Bindings: SandboxBindings; Variables: AccountVariables };
export type SandboxApp = Hono<SandboxHono>;

/** Rejects requests without the sandbox's API key, with the messages of the service's gateway. */
async function checkKey(c: Context<SandboxHono>, next: () => Promise<void>): Promise<void> {
  const key = c.req.header('apikey');
  if (!key) throw gatewayError(401, 'No API key found in request');
  if (key !== c.env.SANDBOX_KEY) throw gatewayError(401, 'Unauthorized');
  await next();
}

/** Handles one operation, except data requests: {@link requestRoutes} handles those. */
async function handleOperation(c: Context<SandboxHono>, operation: Operation): Promise<Response> {
  assertDecodableUrl(c.req.url);
  const repository = getRecordRepository(c.env.SANDBOX_DB);
  const parameters = new URL(c.req.url).searchParams;
  const now = c.get('sandboxNow');
  switch (operation.name) {
    case 'collect':
    case 'enrich':
      return handleRecord(repository.store, operation, c.req.param('key'), parameters);
    case 'search':
      return handleSearch({ repository, now }, operation, parameters, await readText(c.req.raw));
    case 'preview': {
      const context = { repository, now, db: c.env.SANDBOX_DB };
      return handlePreview(context, operation, parameters, await readText(c.req.raw));
    }
    case 'bulk':
      return pathNotFound();
  }
}

/**
 * Creates the service below `/cdapi/v2`, and the control and import routes beside it.
 * @returns an app to mount or to call with requests
 */
export function createSandbox(): SandboxApp {
  const app: SandboxApp = new Hono();
  app.get('/cdapi/openapi.json', (c) => c.json(buildOpenApi(new URL('../cdapi', c.req.url).href)));
  app.use(correlationMiddleware(sandboxPlatform));
  app.use(checkKey);
  app.use('/cdapi/*', accountMiddleware(sandboxPlatform));
  for (const operation of operations) {
    if (operation.name === 'bulk') continue;
    app.all(toRoutePath(operation.path), (c) =>
      c.req.method === operation.method ? handleOperation(c, operation) : internalError().response(),
    );
  }
  app.route('/', requestRoutes());
  app.get('/control', async (c) => c.json(await getAccount(c.env).getState()));
  app.put('/control', async (c) => {
    const change = parseControl(readJson(await readText(c.req.raw)));
    return c.json(await getAccount(c.env).applyControl(change));
  });
  app.route('/', recordRoutes());
  app.notFound(pathNotFound);
  app.onError((error, c) => {
    if (error instanceof RequestTextError) return Response.json(error.body, { status: error.status });
    const serviceError =
      error instanceof ServiceError
        ? error
        : toServiceError(error, c.req.path.includes('/search/filter') ? 'filter' : 'es_dsl');
    if (serviceError !== undefined) return serviceError.response();
    console.error(JSON.stringify({ event: 'sandbox_error', error: error.message }));
    return internalError().response();
  });
  return app;
}
