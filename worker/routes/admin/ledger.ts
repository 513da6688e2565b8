// /admin/v1/ledger: exports the ledgers of teams as a stream, in JSON or CSV.

import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import * as api from '../../../shared/api/admin-reports.ts';
import type { Env } from '../../env.ts';
import { findTeam, listTeamIds } from '../../gateway/auth/team-repository.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import type { Entry } from '../../gateway/ledger/types.ts';
import { toIsoTime } from '../../lib/format.ts';
import { formatCsvRow } from './csv.ts';
import { notFound, type Route, route } from './route.ts';

/** Maximum number of lines in memory. */
const PAGE_SIZE = 500;

type Pages = AsyncGenerator<api.LedgerLine[], void>;

function toLedgerLine(team: string, entry: Entry): api.LedgerLine {
  return {
    team,
    number: entry.number,
    at: toIsoTime(entry.at),
    day: entry.day,
    kind: entry.kind,
    token: entry.token ?? null,
    operation: entry.operation ?? null,
    family: entry.family ?? null,
    subject: entry.subject ?? null,
    reference: entry.reference ?? null,
    credits: entry.credits,
    saved: entry.saved,
    calls: entry.calls,
    note: entry.note ?? null,
  };
}

/**
 * Reads ledgers one after the other, in pages.
 * @param after - number of the last known line
 * @param limit - maximum number of lines in total
 */
async function* readPages(env: Env, ids: readonly string[], after: number, limit: number): Pages {
  let remaining = limit;
  for (const id of ids) {
    const ledger = getLedger(env, id);
    let last = after;
    for (let full = true; full && remaining > 0; ) {
      const size = Math.min(PAGE_SIZE, remaining);
      const entries = await ledger.listEntries({ after: last, limit: size });
      full = entries.length === size;
      last = entries.at(-1)?.number ?? last;
      remaining -= entries.length;
      if (entries.length > 0) yield entries.map((entry) => toLedgerLine(id, entry));
    }
  }
}

const columns = [
  'team',
  'number',
  'at',
  'day',
  'kind',
  'token',
  'operation',
  'family',
  'subject',
  'reference',
  'credits',
  'saved',
  'calls',
  'note',
] as const satisfies readonly (keyof api.LedgerLine)[];

async function* toCsv(pages: Pages): AsyncGenerator<string, void> {
  yield formatCsvRow(columns);
  for await (const page of pages) {
    yield page.map((line) => formatCsvRow(columns.map((column) => line[column]))).join('');
  }
}

/**
 * Streams lines as JSON, with the cursor of the next page.
 * @param limit - page size; a full page may have a successor
 */
async function* toJson(pages: Pages, limit: number | undefined): AsyncGenerator<string, void> {
  let before = '{"entries":[';
  let lines = 0;
  let next: number | null = null;
  for await (const page of pages) {
    yield before + page.map((line) => JSON.stringify(line)).join(',');
    before = ',';
    lines += page.length;
    if (lines === limit) next = page.at(-1)?.number ?? null;
  }
  yield `${lines === 0 ? before : ''}],"next":${next}}`;
}

/** Streams texts. Errors before the first text become a problem response; later errors break the stream. */
async function streamResponse(texts: AsyncGenerator<string, void>, headers: HeadersInit): Promise<Response> {
  const encoder = new TextEncoder();
  let next = await texts.next();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (next.done) return controller.close();
      controller.enqueue(encoder.encode(next.value));
      next = await texts.next();
    },
    cancel: async () => {
      await texts.return();
    },
  });
  return new Response(body, { headers: { 'cache-control': 'no-store', vary: 'accept', ...headers } });
}

function wantsCsv(format: 'json' | 'csv' | undefined, request: Request): boolean {
  if (format !== undefined) return format === 'csv';
  return /\btext\/csv\b/i.test(request.headers.get('accept') ?? '');
}

const listLines = route({
  method: 'GET',
  path: '/ledger',
  summary: 'Export ledger lines of one team or all teams',
  problems: ['not_found', 'invalid_request'],
  request: z.object({ query: api.ledgerQuery }),
  success: {
    status: 200,
    description: 'The lines, oldest first. All lines without a limit',
    schema: api.ledgerAnswer,
    types: ['application/json', 'text/csv'],
  },
  handle: async ({ query: { team, after = 0, limit, format } }, { env, now, request }) => {
    const orm = drizzle(env.DB);
    if (team !== undefined && (await findTeam(orm, team)) === undefined) throw notFound();
    const ids = team === undefined ? await listTeamIds(orm) : [team];
    const pages = readPages(env, ids, after, limit ?? Number.POSITIVE_INFINITY);
    if (wantsCsv(format, request)) {
      const name = `ledger-${team ?? 'all'}-${toIsoTime(now).slice(0, 10)}.csv`;
      return streamResponse(toCsv(pages), {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="${name}"`,
      });
    }
    return streamResponse(toJson(pages, team === undefined ? undefined : limit), {
      'content-type': 'application/json',
    });
  },
});

export const ledgerRoutes: readonly Route[] = [listLines];
