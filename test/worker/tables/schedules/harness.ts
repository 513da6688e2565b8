// Schedules over a provider in the test's hands: its records have the times that the test gives them, each call is on record,
// and every turn is an invocation of its own of the platform as it is deployed. Nothing runs but what the test runs.
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { DataRequestRows } from '../../../../shared/api/data-requests.ts';
import type { Schedule, ScheduleBody, ScheduleList } from '../../../../shared/api/schedules.ts';
import type { ChangeList, TableBody, TableView } from '../../../../shared/api/tables.ts';
import type { DevelopmentEnv } from '../../../../worker/env.ts';
import type { JobContext } from '../../../../worker/gateway/context.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import type { JobMessage } from '../../../../worker/tables/job-message.ts';
import { runSchedule, toJobId } from '../../../../worker/tables/schedules/run-schedule.ts';
import { sweepSchedules } from '../../../../worker/tables/schedules/sweep.ts';
import { createGateway, type Gateway } from '../../harness.ts';
import { clock, recordViolation, scriptedProviders, testPlatform } from '../../platform.ts';
import { callsWith, type TokenCalls, tokenOf } from '../../routes/sheets/callers.ts';
import { StrictRuntime } from '../../strict/index.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const PAGE_ROWS = 20;

const strictWorld = new StrictRuntime({ clock: () => clock.now });

/** A record of the provider. */
export interface ProviderRecord {
  id: number;
  name: string;
  /** Milliseconds since 1970. */
  updated: number;
}

/** What the provider answers in place of its usual answer; undefined leaves it. */
type Override = (call: string, count: number) => Response | undefined | Promise<Response | undefined>;

const SINCE = /"(?:last_updated_gte|gte)":"([^"]+)"/;
const WITHOUT = /"must_not":\[\{"ids":\{"values":\[([^\]]*)\]/;

const formatTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** A provider of companies, base and clean. */
export class FakeProvider {
  records: ProviderRecord[] = [];
  /** `count`, or the page that was bought: `page 1`. */
  readonly calls: string[] = [];
  override: Override = () => undefined;
  readonly #snapshots = new Map<string, ProviderRecord[]>();

  /** Pages that were bought. */
  get bought(): string[] {
    return this.calls.filter((call) => call !== 'count');
  }

  answer = async (_key: string, request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const body = await request.clone().text();
    const page = Number(searchParams.get('page') ?? 1);
    const call = pathname.endsWith('/preview') ? `page ${page}` : 'count';
    this.calls.push(call);
    const other = await this.override(call, this.calls.filter((one) => one === call).length);
    if (other !== undefined) return other;
    const [, since = ''] = SINCE.exec(body) ?? [];
    const [, without = ''] = WITHOUT.exec(body) ?? [];
    const found = this.records.filter(
      ({ id, updated }) => formatTime(updated) >= since && !without.split(',').includes(`"${id}"`),
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

  /** Forgets every snapshot. */
  expireSnapshots(): void {
    this.#snapshots.clear();
  }

  /** Changes some records, or adds them. */
  updateRecords(ids: Iterable<number>, updated: number, name = 'Company'): void {
    for (const id of ids) {
      this.records = [
        ...this.records.filter((item) => item.id !== id),
        { id, name: `${name} ${id}`, updated },
      ];
    }
  }
}

/** So many ids from 1. */
export const ids = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

let harnessCount = 0;

/** A team with a registered table, its provider, and everything that runs for it. */
export class ScheduleHarness {
  readonly provider = new FakeProvider();
  readonly team: string;
  readonly table = crypto.randomUUID();
  /** Messages of the queue of work, in order. */
  readonly messages: JobMessage[] = [];
  readonly #gateway: Gateway;
  readonly #identity: string;
  #calls: TokenCalls | undefined;

  constructor() {
    const number = harnessCount++;
    this.team = `scheduled-${number}`;
    this.#identity = `scheduled-${number}`;
    const place = { runtime: strictWorld, location: 'here' };
    this.#gateway = createGateway(this.provider.answer, this.#identity, place, { JOBS: this.#queue });
  }

  get #queue(): DevelopmentEnv['JOBS'] {
    const send = async (body: JobMessage): Promise<QueueSendResponse> => {
      this.messages.push(body);
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    };
    return {
      ...env.JOBS,
      send,
      sendBatch: async (messages) => {
        for (const { body } of messages) await send(body);
        return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
      },
    };
  }

  /** The surface of the add-on, with the team's token. */
  get client(): TokenCalls {
    if (this.#calls === undefined) throw new Error('register first');
    return this.#calls;
  }

  /** Another token of the team, or of another. */
  async createClient(team = this.team): Promise<TokenCalls> {
    return callsWith(await tokenOf(team), this.#gateway);
  }

  /** Registers the table. */
  async register(more: Partial<TableBody> = {}, id = this.table): Promise<TableView> {
    this.#calls ??= callsWith(await tokenOf(this.team), this.#gateway);
    const body: TableBody = {
      title: 'Bakers & Co',
      family: 'company_base',
      spreadsheet: { id: 'spreadsheet', sheet_id: 0, row: 1 },
      columns: [
        { path: 'id', heading: 'ID' },
        { path: 'name', heading: 'Name' },
      ],
      source: { kind: 'search', query: { filters: { industry: 'Baking' } } },
      mode: 'append',
      push: false,
      as_of: new Date(clock.now).toISOString(),
      ...more,
    };
    return this.client.ok<TableView>('PUT', `/tables/${id}`, body);
  }

  /** Puts the schedule. */
  schedule(more: Partial<ScheduleBody> = {}): Promise<Schedule> {
    const body = { every: 'hour', max_credits: 100, paused: false, ...more };
    return this.client.ok<Schedule>('PUT', `/schedules/${this.table}`, body);
  }

  async getSchedule(): Promise<Schedule> {
    const { schedules } = await this.client.ok<ScheduleList>('GET', '/schedules');
    const one = await this.client.ok<Schedule>('GET', `/schedules/${this.table}`);
    expect(schedules).toContainEqual(one);
    return one;
  }

  /** The rooms of one turn. @param bindings - that are not as usual */
  context(bindings: Partial<DevelopmentEnv> = {}): JobContext<DevelopmentEnv> {
    const strict = strictWorld.wrapBindings(env, { onViolation: recordViolation });
    const upstream = scriptedProviders.get(this.#identity)?.upstream;
    return {
      env: { ...strict.env, JOBS: this.#queue, ...bindings },
      platform: { ...testPlatform, ...(upstream === undefined ? {} : { sandbox: () => upstream }) },
      waitUntil: () => {},
    };
  }

  /** One turn of work on the schedule. */
  runJob(bindings?: Partial<DevelopmentEnv>): Promise<void> {
    return runSchedule(this.context(bindings), toJobId({ teamId: this.team, tableId: this.table }));
  }

  /** What the cron of a minute and the queue behind it do, as far as it is this team's. */
  async runMinute(isStart = false): Promise<void> {
    this.messages.length = 0;
    await sweepSchedules(this.context(), isStart);
    const own = toJobId({ teamId: this.team, tableId: this.table });
    // What a turn adds comes after it.
    for (const { id } of this.messages) if (id === own) await runSchedule(this.context(), id);
  }

  /** Runs that the team's sheets are told of. */
  async listRuns(): Promise<string[]> {
    const { changes } = await this.client.ok<ChangeList>('GET', '/changes');
    return changes.flatMap((change) => (change.kind === 'table' ? [change.run] : []));
  }

  /** Rows of a run, in the table's columns. */
  async listRows(run: string): Promise<unknown[][]> {
    const { rows } = await this.client.ok<DataRequestRows>('GET', `/tables/${this.table}/runs/${run}/rows`);
    return rows;
  }

  /** Credits that the team has spent, as far as its ledger was told. */
  async getSpent(): Promise<number> {
    return (await getLedger(env, this.team).getBudget()).spent.month;
  }

  getAsOf = async (): Promise<string> =>
    (await this.client.ok<TableView>('GET', `/tables/${this.table}`)).as_of;
}

/** Moves the clock on to a full second, as the provider's times have, of the first half of a month: what it costs is of one. */
export function startMidMonth(): void {
  const date = new Date(clock.now);
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 2);
  clock.now = date.getUTCDate() > 15 ? next : Math.ceil(clock.now / 1000) * 1000;
}

/** The same, to six in the morning: some hours pass and no day ends. */
export function startInMorning(): void {
  startMidMonth();
  clock.now = Math.ceil(clock.now / DAY) * DAY + 6 * HOUR;
}

/** A team whose table has a schedule that was just put. */
export async function createScheduledTable(
  more: Parameters<ScheduleHarness['schedule']>[0] = {},
): Promise<ScheduleHarness> {
  startMidMonth();
  const world = new ScheduleHarness();
  await world.register();
  await world.schedule(more);
  return world;
}
