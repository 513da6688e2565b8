// The surface of the add-on: /sheets/v1.
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { previewColumns, recordColumns } from '../../../shared/columns.ts';
import { type Family, families, isFamily, type KeySpelling } from '../../../shared/families.ts';
import { lookupKinds, recordOperation } from '../../../shared/operations.ts';
import { problem } from '../../../shared/problems.ts';
import type { FieldsResponse, MeResponse } from '../../../shared/sheets-api.ts';
import type { Env } from '../../env.ts';
import { bearerToken } from '../../gateway/authenticate.ts';
import { ledgerOf } from '../../gateway/ledger/object.ts';
import { estimate, lookup } from '../../gateway/lookup.ts';
import { type Caller, requireScope } from '../../gateway/tokens.ts';
import { methodNotAllowed, ProblemError, problemResponse } from '../../problem-error.ts';
import type { Entered, Services } from '../../services.ts';
import { lookupBody, previewBody, readBody, searchBody } from './bodies.ts';
import { preview, search } from './searches.ts';

/** 1,000 keys of the greatest length that a website can have fit. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const unstored = { 'cache-control': 'no-store' };

/** A lookup may turn out to be a collect or an enrich: by website it is one, by anything else the other. */
function requireLookup(caller: Caller, family: Family, by: KeySpelling): void {
  const kinds = by === 'auto' || by === 'url' ? lookupKinds(family) : [by];
  const names = new Set(kinds.flatMap((kind) => recordOperation(family, kind)?.name ?? []));
  for (const name of names.size === 0 ? (['collect'] as const) : names) requireScope(caller, family, name);
}

/**
 * Makes the routes of the add-on.
 * @param services - what the routes reach the world through
 */
export function sheetsRoutes<E extends Env>(services: Services<E>): Hono<Entered<E>> {
  const routes = new Hono<Entered<E>>();
  const tooLarge = () => problemResponse(problem('too_large'));
  routes.use(...services.enter(bearerToken));
  routes.use(bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge }));

  routes.post('/lookup', async (c) => {
    const request = await readBody(c.req.raw, lookupBody);
    requireLookup(c.get('caller'), request.family, request.by);
    return c.json(await lookup(request, await services.rooms(c, 'formula')), 200, unstored);
  });
  routes.post('/estimate', async (c) => {
    const request = await readBody(c.req.raw, lookupBody);
    requireLookup(c.get('caller'), request.family, request.by);
    return c.json(await estimate(request, await services.rooms(c, 'formula')), 200, unstored);
  });
  routes.post('/search', async (c) => {
    const request = await readBody(c.req.raw, searchBody);
    requireScope(c.get('caller'), request.family, 'search');
    return c.json(await search(request, await services.rooms(c, 'formula')), 200, unstored);
  });
  routes.post('/preview', async (c) => {
    const request = await readBody(c.req.raw, previewBody);
    requireScope(c.get('caller'), request.family, 'preview');
    return c.json(await preview(request, await services.rooms(c, 'formula')), 200, unstored);
  });
  routes.get('/me', async (c) => {
    const { teamId, teamName, scopes } = c.get('caller');
    const [budget, { embedded }] = await Promise.all([
      ledgerOf(c.env, teamId).budget(),
      services.provider(c.env),
    ]);
    const { caps, spent, saved, spending } = budget;
    // The token may have a cap of its own.
    const remaining = c.get('remaining') ?? budget.remaining;
    const mode = embedded === true ? 'embedded' : 'remote';
    const answer: MeResponse = {
      team: teamName,
      budget: caps,
      spent,
      saved,
      remaining,
      spending,
      mode,
      scopes,
    };
    return c.json(answer, 200, unstored);
  });
  routes.get('/fields/:family', (c) => {
    const family = c.req.param('family');
    if (!isFamily(family)) throw new ProblemError('not_found', `There is no family ${family}.`);
    const answer: FieldsResponse = {
      family,
      columns: recordColumns(family),
      preview: previewColumns(family),
      defaults: families[family].defaultFields,
    };
    return c.json(answer);
  });
  for (const path of ['/lookup', '/estimate', '/search', '/preview'])
    routes.all(path, methodNotAllowed('POST'));
  for (const path of ['/me', '/fields/:family']) routes.all(path, methodNotAllowed('GET, HEAD'));
  return routes;
}
