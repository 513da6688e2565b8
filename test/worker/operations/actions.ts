// What sellers and the cron do, as calls of the gateway, and what each uses.
import { env } from 'cloudflare:workers';
import type { DataRequestRows, DataRequestView } from '../../../shared/api/data-requests.ts';
import type { SheetsResponse } from '../../../shared/api/sheets-endpoints.ts';
import { generateToken } from '../../../shared/tokens.ts';
import { ensureTeam } from '../../../worker/gateway/auth/tokens.ts';
import { clock } from '../platform.ts';
import { MeteredGateway, PURCHASE_POLLS } from './metered-gateway.ts';
import { ActionProvider } from './provider.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const RANGE_KEYS = 1000;
const RANGE_COMPANIES = 300;

/** What each action uses, by its name and unit. */
export type Operations = Record<string, Record<string, number>>;

type Call = (method: string, path: string, body?: unknown) => Promise<Response>;

const toWebsite = (id: number): string => `company-${id}.example`;
const range = (count: number, first: number): number[] =>
  Array.from({ length: count }, (_, at) => first + at);

/** Calls of a team's add-on. */
async function createCaller(gateway: MeteredGateway): Promise<Call> {
  const token = generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));
  const id = crypto.randomUUID();
  const limits = { caps: { day: null, month: null }, ratePerMinute: 100_000 };
  await ensureTeam(env, { id, name: id }, token, limits, 0);
  return (method, path, body) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(text === undefined ? {} : { 'content-length': String(text.length) }),
    };
    return gateway.request(`/sheets/v1${path}`, {
      method,
      headers,
      ...(text === undefined ? {} : { body: text }),
    });
  };
}

async function lookUp(call: Call, keys: string[]): Promise<void> {
  const body = { family: 'company_clean', by: 'website', keys, fields: ['name'] };
  const { rows } = await (await call('POST', '/lookup', body)).json<{ rows: { status: string }[] }>();
  const failed = rows.filter(({ status }) => status !== 'hit' && status !== 'fetched');
  if (failed.length > 0) throw new Error(`the lookup did not answer: ${JSON.stringify(failed[0])}`);
}

/** Counts lookups of formulas. */
async function countLookups(gateway: MeteredGateway, call: Call): Promise<Operations> {
  const buy = await gateway.count(() => lookUp(call, [toWebsite(1)]), PURCHASE_POLLS);
  const hitMemory = await gateway.count(async () => {
    for (const _ of range(100, 0)) await lookUp(call, [toWebsite(1)]);
  });
  gateway.startIsolate();
  const hitKv = await gateway.count(() => lookUp(call, [toWebsite(1)]));
  return { formula_bought: buy, '100_formulas_from_memory': hitMemory, formula_from_kv: hitKv };
}

/** Counts lookups of a range of 1,000 cells with 300 companies. */
async function countRanges(gateway: MeteredGateway, call: Call): Promise<Operations> {
  const keys = range(RANGE_KEYS, 0).map((at) => toWebsite(1000 + (at % RANGE_COMPANIES)));
  const buyRange = await gateway.count(() => lookUp(call, keys), PURCHASE_POLLS);
  gateway.startIsolate();
  const rangeKv = await gateway.count(() => lookUp(call, keys));
  const rangeMemory = await gateway.count(() => lookUp(call, keys));
  return {
    range_of_1000_bought: buyRange,
    range_of_1000_from_kv: rangeKv,
    range_of_1000_from_memory: rangeMemory,
  };
}

/** Counts what the sidebar calls. */
async function countSidebar(gateway: MeteredGateway, call: Call): Promise<Operations> {
  const query = { family: 'company_base', filters: { industry: 'Baking' } };
  const open = await gateway.count(async () => {
    for (const path of ['/me', '/runs', '/changes']) await call('GET', path);
  });
  return {
    sidebar_opened: open,
    search_page: await gateway.count(() => call('POST', '/search', query), PURCHASE_POLLS),
    preview_page: await gateway.count(() => call('POST', '/preview', query), PURCHASE_POLLS),
  };
}

/** Counts a data request of 1,000 records from the order to the rows in the sheet. */
async function countDataRequest(
  gateway: MeteredGateway,
  call: Call,
  provider: ActionProvider,
): Promise<Operations> {
  const body = { family: 'company_clean', kind: 'ids', keys: range(RANGE_KEYS, 10_000).map(String) };
  const used = await gateway.count(async () => {
    await call('POST', '/estimate/data-request', body);
    const { id } = await (await call('POST', '/requests', body)).json<DataRequestView>();
    await gateway.runJobs();
    const { pathname } = new URL(provider.webhookUrl);
    await gateway.request(pathname, { method: 'POST', body: '{"status":"done"}' });
    await gateway.runJobs();
    await call('GET', `/requests/${id}`);
    let after: string | null | undefined = '';
    let rows = 0;
    while (after !== null && after !== undefined) {
      const path: string = `/requests/${id}/rows?limit=${RANGE_KEYS}${after === '' ? '' : `&after=${after}`}`;
      const page: DataRequestRows = await (await call('GET', path)).json();
      rows += page.rows.length;
      after = page.after;
    }
    if (rows !== RANGE_KEYS) throw new Error(`${rows} rows arrived`);
  });
  return { data_request_of_1000: used };
}

/** Counts a run of a schedule that finds twenty records, and the idle cron on the hour and a minute later. */
async function countSchedule(gateway: MeteredGateway, call: Call): Promise<Operations> {
  const onTheHour = await gateway.count(async () => {
    await gateway.runCron();
    await gateway.runJobs();
  });
  clock.now += MINUTE;
  const idle = await gateway.count(() => gateway.runCron());
  const table = crypto.randomUUID();
  await call('PUT', `/tables/${table}`, {
    title: 'Bakers',
    family: 'company_base',
    spreadsheet: { id: 'spreadsheet', sheet_id: 0 },
    columns: [
      { id: 'c1', path: 'id', heading: 'ID' },
      { id: 'c2', path: 'name', heading: 'Name' },
    ],
    source: { kind: 'search', query: { filters: { industry: 'Baking' } } },
    mode: 'append',
    push: false,
    as_of: new Date(clock.now).toISOString(),
  });
  await call('PUT', `/schedules/${table}`, { every: 'hour', max_credits: 100, paused: false });
  await gateway.finish();
  clock.now += HOUR + 1000;
  const run = await gateway.count(async () => {
    await gateway.runCron();
    await gateway.runJobs();
    const { changes } = await (await call('GET', '/changes')).json<SheetsResponse<'listChanges'>>();
    const found = changes.flatMap((change) => (change.kind === 'table' ? [change.run] : []));
    if (found.length !== 1) throw new Error(`${found.length} runs arrived`);
    await call('GET', `/tables/${table}/runs/${found[0]}/rows`);
  });
  return { cron_idle: idle, cron_idle_on_the_hour: onTheHour, scheduled_run_of_20: run };
}

/** Counts all actions. */
export async function countActions(): Promise<Operations> {
  const day = new Date(clock.now);
  clock.now = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 10, 6, 0, 0);
  const operations: Operations = {};
  // Each group has its own objects, so the late work of one group is not counted in the next one.
  for (const count of [countLookups, countRanges, countSidebar, countSchedule, countDataRequest]) {
    const provider = new ActionProvider();
    const gateway = new MeteredGateway(provider.answer);
    Object.assign(operations, await count(gateway, await createCaller(gateway), provider));
  }
  return operations;
}
