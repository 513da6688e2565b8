// /admin/v1/ledger and /teams/{id}/ledger: exports ledgers as a stream, in JSON or CSV, and lists a ledger in pages.

import { drizzle } from 'drizzle-orm/d1';
import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import * as api from '../../../../shared/api/admin-reports.ts';
import { csvStart, formatCsvRow } from '../../../../shared/lib/csv.ts';
import type { Env } from '../../../env.ts';
import { findPayerNames } from '../../../gateway/auth/identity/payer-names.ts';
import { findTeam, findTeamNames, listTeamIds } from '../../../gateway/auth/team-repository.ts';
import { getLedger } from '../../../gateway/ledger/ledger-object.ts';
import type { Entry, EntryFilter } from '../../../gateway/ledger/types.ts';
import { csvHeaders } from '../../../http/csv.ts';
import { toIsoTime } from '../../../lib/format.ts';
import { notFound, requireFound, route } from '../route.ts';

/** Maximum number of lines in memory. */
const PAGE_SIZE = 500;

type Pages = AsyncGenerator<api.LedgerLine[], void>;

/** Names of the teams and tokens of lines. */
interface Names {
  teams: ReadonlyMap<string, string>;
  /** By token. */
  payers: Map<string, string | null>;
}

/** Adds the names of payers that are not known yet. */
async function addPayerNames(
  env: Env,
  { payers }: Names,
  entries: readonly Pick<Entry, 'token'>[],
): Promise<void> {
  const unknown = entries.flatMap(({ token }) => (token === undefined || payers.has(token) ? [] : [token]));
  if (unknown.length === 0) return;
  const found = await findPayerNames(env, drizzle(env.DB), unknown);
  for (const token of unknown) payers.set(token, found.get(token) ?? null);
}

function toLedgerLine(team: string, entry: Entry, { teams, payers }: Names): api.LedgerLine {
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
    source: entry.source ?? null,
    team_name: teams.get(team) ?? '',
    token_name: entry.token === undefined ? null : (payers.get(entry.token) ?? null),
  };
}

const filterNames = ['token', 'family', 'operation', 'kind', 'day'] as const satisfies (keyof EntryFilter)[];

interface Export {
  /** Teams, one after the other. */
  ids: readonly string[];
  filter: EntryFilter;
  /** Number of the last known line. */
  after: number;
  /** Maximum number of lines in total. */
  limit: number;
}

/** Reads ledgers in pages. Filters here, because a ledger reads its archive from R2 page by page. */
async function* readPages(env: Env, { ids, filter, after, limit }: Export): Pages {
  const listed: Names = { teams: await findTeamNames(drizzle(env.DB), ids), payers: new Map() };
  const names = filterNames.filter((name) => filter[name] !== undefined);
  let remaining = limit;
  for (const id of ids) {
    const ledger = getLedger(env, id);
    let last = after;
    for (let full = true; full && remaining > 0; ) {
      const size = names.length > 0 ? PAGE_SIZE : Math.min(PAGE_SIZE, remaining);
      const entries = await ledger.listEntries({ after: last, limit: size });
      full = entries.length === size;
      last = entries.at(-1)?.number ?? last;
      const matching = entries.filter((entry) => names.every((name) => entry[name] === filter[name]));
      const shown = matching.slice(0, remaining);
      await addPayerNames(env, listed, shown);
      const lines = shown.map((entry) => toLedgerLine(id, entry, listed));
      remaining -= lines.length;
      if (lines.length > 0) yield lines;
    }
  }
}

const columns = api.ledgerLine.keyof().options;

async function* toCsv(pages: Pages): AsyncGenerator<string, void> {
  yield csvStart + formatCsvRow(columns);
  for await (const page of pages) {
    yield page.map((line) => formatCsvRow(columns.map((column) => line[column]))).join('');
  }
}

/**
 * Streams lines as JSON, with the cursor of the next page.
 * @param limit - page size; a full page may have a successor
 */
async function* toJson(pages: Pages, limit: number): AsyncGenerator<string, void> {
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

const exportLedger = route(endpoints.exportLedger, {
  summary: 'Export ledger lines of one team or all teams, archived ones included',
  returns: 'The lines, oldest first. All lines without a limit',
  handle: async (
    { query: { team, after = 0, limit = Number.POSITIVE_INFINITY, format, ...filter } },
    { env, now, request },
  ) => {
    const orm = drizzle(env.DB);
    if (team !== undefined && (await findTeam(orm, team)) === undefined) throw notFound();
    const ids = team === undefined ? await listTeamIds(orm) : [team];
    const pages = readPages(env, { ids, filter, after, limit });
    if (wantsCsv(format, request)) {
      const name = `ledger-${team ?? 'all'}-${toIsoTime(now).slice(0, 10)}`;
      return streamResponse(toCsv(pages), csvHeaders(name));
    }
    return streamResponse(toJson(pages, team === undefined ? Number.POSITIVE_INFINITY : limit), {
      'content-type': 'application/json; charset=utf-8',
    });
  },
});

const listLedger = route(endpoints.listLedger, {
  summary: 'List the ledger lines of a team with a running balance, newest first',
  returns: 'A page of lines',
  handle: async ({ params: { id }, query: { before, limit, ...filter } }, { env, orm }) => {
    const team = requireFound(await findTeam(orm, id));
    const { entries, next, hasArchived } = await getLedger(env, id).readEntryPage({ filter, before, limit });
    const names: Names = { teams: new Map([[id, team.name]]), payers: new Map() };
    await addPayerNames(env, names, entries);
    return {
      entries: entries.map((entry) => ({ ...toLedgerLine(id, entry, names), balance: entry.balance })),
      next,
      archived: hasArchived,
    };
  },
});

const listLedgerSums = route(endpoints.listLedgerSums, {
  summary: 'Get the monthly sums of ledger lines that are older than 13 months',
  returns: 'The sums, oldest first',
  handle: async ({ params: { id } }, { env, orm }) => {
    requireFound(await findTeam(orm, id));
    return { sums: await getLedger(env, id).listArchivedSums() };
  },
});

export const ledgerRoutes = { exportLedger, listLedger, listLedgerSums };
