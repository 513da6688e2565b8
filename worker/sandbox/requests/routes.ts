// Routes of data requests: one for each kind and family, and two that read files.
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type BulkOperation, fileOperations, operations } from '../../../shared/operations.ts';
import { type AccountVariables, toRoutePath } from '../account/middleware.ts';
import { detailError, internalError, validationError } from '../api/service-errors.ts';
import { buildIdentity, parsePayload } from './payload.ts';
import { getRequests, type SandboxBindings } from './requests-object.ts';

type RequestEnv = { Bindings: SandboxBindings; Variables: AccountVariables };
type RequestContext = Context<RequestEnv>;

/** Fits 10,000 long URLs. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

const bulkOperations: readonly BulkOperation[] = operations.flatMap((operation) =>
  operation.name === 'bulk' ? [operation] : [],
);

function createTooLargeResponse(): Response {
  const msg = `ensure this value has at most ${MAX_BODY_BYTES} bytes`;
  return validationError({ loc: ['body'], msg, type: 'value_error.body.max_size' }).response();
}

async function createRequest(c: RequestContext, operation: BulkOperation): Promise<Response> {
  const { selection, webhook } = await parsePayload(operation, c.req.raw, c.get('sandboxNow')());
  const id = await getRequests(c.env).create({
    family: operation.family,
    price: operation.credits,
    selection,
    identity: buildIdentity(operation, selection),
    webhook,
  });
  if (id === undefined) throw detailError(409, 'Identical data request is already in progress.');
  const location = fileOperations.list.path.replace('{data_request_id}', id);
  return c.json({ request_id: id }, 201, { location });
}

async function listFiles(c: RequestContext): Promise<Response> {
  const result = await getRequests(c.env).getFiles(c.req.param('data_request_id') ?? '');
  switch (result.kind) {
    case 'unknown':
      throw detailError(404, 'Data request not found');
    case 'running':
      return c.json({ message: 'Data request is still being processed' }, 202);
    case 'ready':
      return c.json({ data_request_files: result.files });
    case 'failed':
      return new Response(result.failure.body, {
        status: result.failure.status,
        headers: { 'content-type': 'application/json' },
      });
  }
}

async function downloadFile(c: RequestContext): Promise<Response> {
  const { data_request_id: id = '', file_name: name = '' } = c.req.param();
  const key = await getRequests(c.env).findFile(id, name);
  const object = key === undefined ? null : await c.env.SANDBOX_FILES.get(key);
  if (object === null) throw detailError(404, 'File not found');
  return new Response(object.body, { headers: { 'content-type': 'application/gzip' } });
}

/** Creates the routes below `/cdapi/v2/data_requests`. */
export function requestRoutes(): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>();
  const addRoute = (
    { method, path }: { method: string; path: string },
    handle: (c: RequestContext) => Promise<Response>,
  ) =>
    routes.all(toRoutePath(path), (c) => (c.req.method === method ? handle(c) : internalError().response()));
  const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: createTooLargeResponse });
  for (const operation of bulkOperations) {
    routes.use(toRoutePath(operation.path), limit);
    addRoute(operation, (c) => createRequest(c, operation));
  }
  addRoute(fileOperations.list, listFiles);
  addRoute(fileOperations.download, downloadFile);
  return routes;
}
