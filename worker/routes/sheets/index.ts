// The API of the add-on: /sheets/v1.
import { type Context, Hono } from 'hono';
import { accountLists } from '../../../shared/accounts.ts';
import { lookupRequest } from '../../../shared/api/lookup.ts';
import { sheetsCalls } from '../../../shared/sheets-calls.ts';
import { type CallSource, callSources, type RecordedSource, sourceHeader } from '../../../shared/sources.ts';
import type { Env } from '../../env.ts';
import { type ChangeTest, readBearerToken } from '../../gateway/auth/authenticate.ts';
import type { RecordKey } from '../../gateway/cache/cache-keys.ts';
import { listRecordKeys } from '../../gateway/cached-records.ts';
import { updateRemaining } from '../../gateway/rate-limit/rate-limit.ts';
import type { GatewayEnv, Services } from '../../gateway/services.ts';
import { addRequestSummary } from '../../http/request-log.ts';
import { addRoutes, readBody } from '../route.ts';
import { createEventsHandler } from './data-request-events.ts';
import { lookupSurface, type RouteContext } from './route.ts';
import { sheetsRouteTable } from './routes.ts';
import { createSignInContext, signInRouteTable } from './sign-in.ts';

/** Fits 1,000 websites. An unauthenticated request must not make an isolate parse megabytes. */
const MAX_BYTES = 128 * 1024;

/** @returns no keys if the body is large, of unknown size or not a lookup */
async function readLookupKeys(request: Request): Promise<RecordKey[]> {
  const bytes = Number(request.headers.get('content-length') ?? Number.NaN);
  if (!(bytes <= MAX_BYTES)) return [];
  const body = lookupRequest.safeParse(await readBody(request, lookupSurface));
  return body.success ? listRecordKeys(body.data) : [];
}

const PREFIX = '/sheets/v1';

/** Calls with a body that store nothing for others. Their purchases are refused by the ledger, which knows of a revocation at once. */
const readingCalls: readonly (keyof typeof sheetsCalls)[] = [
  'lookup',
  'estimate',
  'search',
  'preview',
  'estimatePreview',
  'estimateDataRequest',
  'listAtCompanies',
  'estimateAtCompanies',
  'countAtCompanies',
  'matchNames',
  'estimateMatch',
];
const readingPaths: ReadonlySet<string> = new Set(
  readingCalls.flatMap((name) =>
    accountLists.map((list) => PREFIX + sheetsCalls[name].path.replace('{list}', list)),
  ),
);

/** Reads where a call comes from; undefined for programs and unknown sources. */
function readSource({ headers }: Request): CallSource | undefined {
  const sent = headers.get(sourceHeader);
  return callSources.find((source) => source === sent);
}

const isChange: ChangeTest = ({ path }) => !readingPaths.has(path);

/**
 * Creates the context of a request whose caller is authenticated.
 * @param source - where its calls come from
 */
export const createRouteContext = <E extends Env>(
  services: Services<E>,
  c: Context<GatewayEnv<E>>,
  source: CallSource | RecordedSource | undefined,
): RouteContext => ({
  env: c.env,
  request: c.req.raw,
  caller: c.get('caller'),
  now: services.now(),
  newId: () => crypto.randomUUID(),
  updateRemaining: (credits) => updateRemaining(c.get('lease'), credits),
  getGatewayContext: async (other = source) => services.createContext(c, 'formula', other),
  getProvider: async () => services.getUpstream(c.env),
  addToLog: (summary) => addRequestSummary(c, summary),
});

/**
 * Creates the API of the add-on.
 */
export function createSheetsRoutes<E extends Env>(services: Services<E>): Hono<GatewayEnv<E>> {
  const routes = new Hono<GatewayEnv<E>>();
  routes.get('/requests/:id/events', createEventsHandler(services));
  addRoutes(routes, signInRouteTable, createSignInContext(services));
  routes.use(
    services.requireCaller(readBearerToken, isChange, async ({ req }) =>
      req.method === 'POST' && req.path === PREFIX + sheetsCalls.lookup.path ? readLookupKeys(req.raw) : [],
    ),
  );
  addRoutes(routes, sheetsRouteTable, (c) => createRouteContext(services, c, readSource(c.req.raw)));
  return routes;
}
