// Schedules over a fake provider. Tests set the times of its records and start every job themselves.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { DataRequestRows } from '../../../../shared/api/data-requests.ts';
import type { Schedule, ScheduleBody } from '../../../../shared/api/schedules.ts';
import type { SheetsResponse } from '../../../../shared/api/sheets-endpoints.ts';
import type { TableBody, TableView } from '../../../../shared/api/tables.ts';
import type { JobKey } from '../../../../worker/db/jobs.ts';
import type { DevelopmentEnv } from '../../../../worker/env.ts';
import type { TokenGrant } from '../../../../worker/gateway/auth/tokens.ts';
import type { JobContext } from '../../../../worker/gateway/context.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { sweepJobs, toTeamJobId } from '../../../../worker/queue/jobs.ts';
import { runSchedule } from '../../../../worker/tables/schedules/run-schedule.ts';
import { createGateway, type Gateway } from '../../harness.ts';
import { createQueue } from '../../job-rows.ts';
import { clock, recordViolation, scriptedProviders, testPlatform } from '../../platform.ts';
import { type ApiClient, createClient } from '../../routes/sheets/callers.ts';
import { StrictRuntime } from '../../strict/index.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const PAGE_ROWS = 20;

const strictRuntime = new StrictRuntime({ clock: () => clock.now });

interface ProviderRecord {
  id: number;
  name: string;
  /** Milliseconds since 1970. */
  updated: number;
}

/** Replaces a response of the provider; undefined keeps it. */
type Override = (call: string, count: number) => Response | undefined | Promise<Response | undefined>;

const SINCE = /"(?:last_updated_gte|gte)":"([^"]+)"/;
const EXCLUDED_IDS = /"must_not":\[\{"ids":\{"values":\[([^\]]*)\]/;

const formatTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Fake provider of companies. */
class FakeProvider {
  records: ProviderRecord[] = [];
  /** `count`, or a bought page: `page 1`. */
  readonly calls: string[] = [];
  /** Bodies of all calls, in order. */
  readonly bodies: string[] = [];
  override: Override = () => undefined;
  readonly #snapshots = new Map<string, ProviderRecord[]>();

  get bought(): string[] {
    return this.calls.filter((call) => call !== 'count');
  }

  answer = async (_key: string, request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const body = await request.clone().text();
    this.bodies.push(body);
    const page = Number(searchParams.get('page') ?? 1);
    const call = pathname.endsWith('/preview') ? `page ${page}` : 'count';
    this.calls.push(call);
    const override = await this.override(call, this.calls.filter((each) => each === call).length);
    if (override !== undefined) return override;
    const [, since = ''] = SINCE.exec(body) ?? [];
    const [, excluded = ''] = EXCLUDED_IDS.exec(body) ?? [];
    const found = this.records.filter(
      ({ id, updated }) => formatTime(updated) >= since && !excluded.split(',').includes(`"${id}"`),
    );
    if (call === 'count') {
      const ids = found.slice(0, 1).map(({ id }) => id);
      return Response.json(ids, { headers: { 'x-total-results': String(found.length) } });
    }
    const token = searchParams.get('snapshot_token');
    const ranking = token === null ? found : this.#snapshots.get(token);
    if (ranking === undefined)
      return Response.json({ detail: [{ loc: ['query'], msg: 'expired' }] }, { status: 422 });
    const headers = new Headers();
    if (searchParams.get('snapshot') === 'true') {
      const fresh = crypto.randomUUID();
      this.#snapshots.set(fresh, ranking);
      headers.set('x-snapshot-token', fresh);
    }
    const shown = ranking.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS);
    return Response.json(
      shown.map(({ id, name }) => ({
        id,
        name,
        industry: 'Baking',
        _score: Math.round(clock.now / 1000) % 7,
      })),
      { headers },
    );
  };

  expireSnapshots(): void {
    this.#snapshots.clear();
  }

  /** Inserts or updates records. */
  updateRecords(ids: Iterable<number>, updated: number, name = 'Company'): void {
    for (const id of ids) {
      this.records = [
        ...this.records.filter((item) => item.id !== id),
        { id, name: `${name} ${id}`, updated },
      ];
    }
  }
}

/** Lists ids from 1. */
export const ids = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

let harnessCount = 0;

/** Lists the sources of a team's purchases. */
export const listSources = (team: string): Promise<unknown[]> =>
  runInDurableObject(getLedger(env, team), (_, { storage }) => {
    const rows = storage.sql.exec('SELECT DISTINCT source FROM reservations').toArray();
    return rows.map(({ source }) => source);
  });

/** A team with a registered table and its provider. */
export class ScheduleHarness {
  readonly provider = new FakeProvider();
  readonly team: string;
  readonly table = crypto.randomUUID();
  /** Messages of the job queue, in order. */
  readonly messages: JobKey[] = [];
  readonly #queue = createQueue((key) => this.messages.push(key));
  readonly #gateway: Gateway;
  readonly #identity: string;
  #calls: ApiClient | undefined;

  /** @param bindings - replaced bindings of the gateway */
  constructor(bindings: Partial<DevelopmentEnv> = {}) {
    const number = harnessCount++;
    this.team = `scheduled-${number}`;
    this.#identity = `scheduled-${number}`;
    const location = { runtime: strictRuntime, location: 'here' };
    this.#gateway = createGateway(this.provider.answer, this.#identity, location, {
      JOBS: this.#queue,
      ...bindings,
    });
  }

  /** The add-on's API with the team's token. */
  get client(): ApiClient {
    if (this.#calls === undefined) throw new Error('register first');
    return this.#calls;
  }

  /** Creates another token, of this team by default. */
  async createClient(team = this.team, grant: Partial<TokenGrant> = {}): Promise<ApiClient> {
    return await createClient(team, grant, this.#gateway);
  }

  async register(more: Partial<TableBody> = {}, id = this.table): Promise<TableView> {
    this.#calls ??= await createClient(this.team, {}, this.#gateway);
    const body: TableBody = {
      title: 'Bakers & Co',
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
      ...more,
    };
    return this.client.ok<TableView>('PUT', `/tables/${id}`, body);
  }

  /** Saves the schedule. */
  schedule(more: Partial<ScheduleBody> = {}): Promise<Schedule> {
    const body = { every: 'hour', max_credits: 100, paused: false, ...more };
    return this.client.ok<Schedule>('PUT', `/schedules/${this.table}`, body);
  }

  getSchedule(): Promise<Schedule> {
    return this.client.ok<Schedule>('GET', `/schedules/${this.table}`);
  }

  /** Creates the context of a job. @param bindings - replaced bindings */
  context(bindings: Partial<DevelopmentEnv> = {}): JobContext<DevelopmentEnv> {
    const strict = strictRuntime.wrapBindings(env, { onViolation: recordViolation });
    const upstream = scriptedProviders.get(this.#identity)?.upstream;
    return {
      env: { ...strict.env, JOBS: this.#queue, ...bindings },
      platform: { ...testPlatform, ...(upstream === undefined ? {} : { sandbox: () => upstream }) },
      waitUntil: () => {},
    };
  }

  /** Runs one job of the schedule. */
  runJob(bindings?: Partial<DevelopmentEnv>): Promise<void> {
    return runSchedule(this.context(bindings), toTeamJobId(this.team, this.table));
  }

  /** Runs the minute cron and then the queue, for this team. */
  async runMinute(isStart = false): Promise<void> {
    this.messages.length = 0;
    await sweepJobs(this.context(), isStart);
    const jobId = toTeamJobId(this.team, this.table);
    // Jobs may enqueue further jobs.
    for (const { id } of this.messages) if (id === jobId) await runSchedule(this.context(), id);
  }

  /** Runs the cron after some time. */
  async runAfter(ms: number): Promise<void> {
    clock.now += ms;
    await this.runMinute();
  }

  /** Runs the cron in an hour, when a schedule is due. @param newIds - records that change before */
  async runNextHour(newIds: Iterable<number> = []): Promise<void> {
    this.provider.updateRecords(newIds, clock.now + 1000);
    await this.runAfter(HOUR + 1000);
  }

  /** Lists the runs that open sheets find as changes. */
  async listRuns(): Promise<string[]> {
    const { changes } = await this.client.ok<SheetsResponse<'listChanges'>>('GET', '/changes');
    return changes.flatMap((change) => (change.kind === 'table' ? [change.run] : []));
  }

  /** Lists the rows of a run; of the latest by default. */
  async listRows(run?: string): Promise<unknown[][]> {
    const id = run ?? (await this.listRuns()).at(-1) ?? '';
    const { rows } = await this.client.ok<DataRequestRows>('GET', `/tables/${this.table}/runs/${id}/rows`);
    return rows;
  }

  /** Returns the settled credits of the team. */
  async getSpent(): Promise<number> {
    return (await getLedger(env, this.team).getBudget()).spent.month;
  }

  getAsOf = async (): Promise<string> =>
    (await this.client.ok<TableView>('GET', `/tables/${this.table}`)).as_of;
}

/** Moves the clock to a full second in the first half of a month: all costs then count for one month. */
export function startMidMonth(): void {
  const date = new Date(clock.now);
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 2);
  clock.now = date.getUTCDate() > 15 ? next : Math.ceil(clock.now / 1000) * 1000;
}

/** Moves the clock to six in the morning: the day does not end within some hours. */
export function startInMorning(): void {
  startMidMonth();
  clock.now = Math.ceil(clock.now / DAY) * DAY + 6 * HOUR;
}

/** Creates a team with a table and a new schedule. */
export async function createScheduledTable(
  more: Parameters<ScheduleHarness['schedule']>[0] = {},
): Promise<ScheduleHarness> {
  startMidMonth();
  const harness = new ScheduleHarness();
  await harness.register();
  await harness.schedule(more);
  return harness;
}
