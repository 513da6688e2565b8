// A Worker that only runs the sandbox's search engine on D1.

import * as z from 'zod';
import { indexFields } from '../../../../shared/families/registry.ts';
import { RecordRepository } from '../../../../worker/sandbox/record-repository.ts';
import { analyze, lowerCase } from '../../../../worker/sandbox/search/analysis/standard.ts';
import {
  createEngine,
  type SearchEngine,
  type SearchResult,
} from '../../../../worker/sandbox/search/engine/engine.ts';
import { createMappingLookup } from '../../../../worker/sandbox/search/fields.ts';
import { type ParseContext, parseQuery } from '../../../../worker/sandbox/search/parse/index.ts';

const INDEX = 'company_clean';

interface Env {
  DB: D1Database;
}

const questionSchema = z.object({ query: z.unknown(), size: z.number(), repeat: z.number() });
const recordsSchema = z.array(z.looseObject({ id: z.number() }));

const context: ParseContext = {
  mapping: createMappingLookup(indexFields[INDEX]),
  // No query uses the current time.
  now: () => 0,
  analyze,
  lowerCase,
};

/** One engine per isolate, as in the sandbox. */
let engine: SearchEngine | undefined;

async function search(request: Request, { DB }: Env): Promise<Response> {
  const { query, size, repeat } = questionSchema.parse(await request.json());
  engine ??= createEngine(DB, analyze);
  let result: SearchResult = { total: 0, hits: [] };
  for (let remaining = repeat; remaining > 0; remaining -= 1) {
    result = await engine.search(INDEX, { query: parseQuery(query, context), size });
  }
  const { total, hits } = result;
  return Response.json({ total, ids: hits.map(({ id }) => id), scores: hits.map(({ score }) => score) });
}

/** Stores and indexes records, as the importer does. */
async function putRecords(request: Request, env: Env): Promise<Response> {
  const batch = recordsSchema.parse(await request.json());
  const library = new RecordRepository(env.DB);
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
    if (pathname === '/search') return search(request, env);
    if (pathname === '/records') return putRecords(request, env);
    return new Response('ready');
  },
} satisfies ExportedHandler<Env>;
