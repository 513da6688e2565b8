// The bench's Worker: the embedded engine on D1, with nothing around it.

import * as z from 'zod';
import { indexFields } from '../../../../shared/families/index.ts';
import { Library } from '../../../../worker/provider/library.ts';
import { analyze, normalise } from '../../../../worker/provider/search/analysis/standard.ts';
import {
  createEngine,
  type SearchEngine,
  type SearchResult,
} from '../../../../worker/provider/search/engine/engine.ts';
import { mappingLookup } from '../../../../worker/provider/search/fields.ts';
import { type ParseContext, parseQuery } from '../../../../worker/provider/search/parse/index.ts';
import { Watch } from './watch.ts';

const INDEX = 'company_clean';

interface Env {
  DB: D1Database;
}

const question = z.object({ query: z.unknown(), now: z.number(), size: z.number(), repeat: z.number() });
const records = z.array(z.looseObject({ id: z.number() }));

const mapping = mappingLookup(indexFields[INDEX]);

/** One for the isolate, as in the provider. */
let kept: { engine: SearchEngine; watch: Watch } | undefined;

function engineOn(db: D1Database): { engine: SearchEngine; watch: Watch } {
  if (kept === undefined) {
    const watch = new Watch(db);
    kept = { engine: createEngine(watch.db, analyze), watch };
  }
  return kept;
}

async function answer(request: Request, env: Env): Promise<Response> {
  const start = performance.now();
  const { query, now, size, repeat } = question.parse(await request.json());
  const { engine, watch } = engineOn(env.DB);
  const before = watch.total();
  let found: SearchResult = { total: 0, hits: [] };
  const context: ParseContext = { mapping, now: () => now, analyze, normalise };
  for (let left = repeat; left > 0; left -= 1) {
    found = await engine.search(INDEX, { query: parseQuery(query, context), size });
  }
  const { waited, sql, calls } = watch.total();
  return Response.json({
    total: found.total,
    ids: found.hits.map(({ id }) => id),
    scores: found.hits.map(({ score }) => score),
    inside: performance.now() - start,
    waited: waited - before.waited,
    sql: sql - before.sql,
    calls: calls - before.calls,
  });
}

/** Puts records in as the importer does: stored and indexed. */
async function put(request: Request, env: Env): Promise<Response> {
  const batch = records.parse(await request.json());
  const library = new Library(env.DB);
  return Response.json(
    await library.put(
      INDEX,
      batch.map((record) => ({ id: String(record.id), record })),
    ),
  );
}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === '/search') return answer(request, env);
    if (pathname === '/records') return put(request, env);
    return new Response('ready');
  },
} satisfies ExportedHandler<Env>;
