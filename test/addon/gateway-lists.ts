// Stored lists of the in-memory gateway: saved searches, alerts, schedules, columns that are kept filled, registered tables.
import type * as z from 'zod';
import type { HostResponse } from '../../addon/dev/host/types.ts';
import {
  type Enrichment,
  enrichmentBody,
  enrichmentFill,
  enrichmentKeys,
  type TableReport,
  tableReport,
} from '../../shared/api/enrichments.ts';
import type { LookupRow } from '../../shared/api/lookup.ts';
import { type SavedSearch, savedSearchRequest } from '../../shared/api/saved-searches.ts';
import { type Alert, alertBody, type Schedule, scheduleBody } from '../../shared/api/schedules.ts';
import { type TableView, tableBody } from '../../shared/api/tables.ts';
import type { Family } from '../../shared/families/index.ts';
import { defaultBudgetPercents, maxRunsPerMonth } from '../../shared/limits.ts';
import { createProblem, type ProblemCode } from '../../shared/problems.ts';
import { createResponse } from './spreadsheet.ts';

const INTERVAL_MS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

/** Creates the response of a problem. */
export function createProblemResponse(code: ProblemCode, detail?: string, fix?: string): HostResponse {
  const problem = createProblem(code, detail, fix);
  return createResponse(problem.status, problem);
}

/** A call of the gateway. */
export interface GatewayRequest {
  method: string;
  /** Below `/sheets/v1/`, without its query. */
  path: string;
  body: unknown;
  /** In ms. */
  now: number;
}

/** What is known about a new item, besides its body. */
interface Creation<Item> {
  id: string;
  at: string;
  /** The item that it replaces. */
  before: Item | undefined;
}

/** The items of a path, which tests may set. */
class List<Item, Body> {
  items: Item[] = [];
  readonly #schema: z.ZodType<Body>;
  readonly #getId: (item: Item) => string;
  readonly #create: (body: Body, creation: Creation<Item>) => Item;
  #created = 0;

  constructor(
    schema: z.ZodType<Body>,
    getId: (item: Item) => string,
    create: (body: Body, creation: Creation<Item>) => Item,
  ) {
    this.#schema = schema;
    this.#getId = getId;
    this.#create = create;
  }

  find(id: string | undefined): Item | undefined {
    return this.items.find((item) => this.#getId(item) === id);
  }

  /** Changes all items, as the gateway does between two calls. */
  change(more: Partial<Item>): void {
    this.items = this.items.map((item) => ({ ...item, ...more }));
  }

  /** @param id - of the item to replace or add; undefined: a new one */
  put(id: string | undefined, { body, now }: GatewayRequest): HostResponse {
    const parsed = this.#schema.safeParse(body);
    if (!parsed.success) return createProblemResponse('invalid_request', parsed.error.message);
    this.#created += 1;
    const ownId = id ?? `00000000-0000-4000-9000-${String(this.#created).padStart(12, '0')}`;
    const before = this.find(ownId);
    const item = this.#create(parsed.data, { id: ownId, at: new Date(now).toISOString(), before });
    if (before === undefined) this.items.push(item);
    else this.items.splice(this.items.indexOf(before), 1, item);
    return createResponse(200, item);
  }

  delete(id: string): HostResponse {
    if (this.find(id) === undefined) return createProblemResponse('not_found');
    this.items = this.items.filter((item) => this.#getId(item) !== id);
    return createResponse(204, {});
  }
}

/** @param start - any time of a run; default: an interval from now */
function getNextRun(every: keyof typeof INTERVAL_MS, start: string | undefined, now: string): string {
  const interval = INTERVAL_MS[every];
  const passed = Math.floor((Date.parse(now) - Date.parse(start ?? now)) / interval) + 1;
  return new Date(Date.parse(start ?? now) + passed * interval).toISOString();
}

/** Looks a key up, for at most `limit` credits. */
type LookUp = (key: string, family: Family, limit: number) => LookupRow;

export class TestLists {
  readonly searches = new List(
    savedSearchRequest,
    ({ id }: SavedSearch) => id,
    (body, { id, at, before }): SavedSearch => ({
      ...body,
      ...{ id, created_at: before?.created_at ?? at, updated_at: at },
    }),
  );
  readonly alerts = new List(
    alertBody,
    ({ id }: Alert) => id,
    ({ url, on, budget_percents = [...defaultBudgetPercents] }, { id, at }): Alert => ({
      ...{ id, host: new URL(url).host, on, budget_percents },
      ...{ last: null, created_at: at },
    }),
  );
  readonly tables = new List(
    tableBody,
    ({ id }: TableView) => id,
    (body, { id, at, before }): TableView => ({
      ...{ ...body, id, last_push: before?.last_push ?? null },
      ...{ created_at: before?.created_at ?? at, updated_at: at },
    }),
  );
  readonly schedules = new List(
    scheduleBody,
    ({ table }: Schedule) => table,
    ({ at: start, ...body }, { id, at, before }): Schedule => {
      const { title = '', family = 'company_base' } = this.tables.find(id) ?? {};
      const most = body.max_credits * maxRunsPerMonth[body.every];
      return {
        ...{ ...body, table: id, title, family, state: body.paused ? 'paused' : 'on' },
        ...{ next_at: body.paused ? null : getNextRun(body.every, start, at), last: before?.last ?? null },
        month: { max_credits: most, spent: before?.month.spent ?? 0 },
      };
    },
  );
  readonly enrichments = new List(
    enrichmentBody,
    ({ id }: Enrichment) => id,
    ({ at: start, refresh_days = null, ...body }, { id, at, before }): Enrichment => ({
      ...{ ...body, id, refresh_days, state: body.paused ? 'paused' : 'on' },
      next_at: body.paused || !body.push ? null : getNextRun(body.every, start, at),
      ...{ last: before?.last ?? null, month_spent: before?.month_spent ?? 0 },
    }),
  );
  /** Keys of kept columns that are never bought, by id. */
  readonly known = new Map<string, Set<string>>();
  /** What tables report, by id. */
  readonly reports = new Map<string, TableReport>();
  /** The address of the service account that updates closed spreadsheets. */
  pushAccount: string | null = null;
  readonly #lookUp: LookUp;

  constructor(lookUp: LookUp) {
    this.#lookUp = lookUp;
  }

  reset(): void {
    for (const list of [this.searches, this.alerts, this.tables, this.schedules, this.enrichments])
      list.items = [];
    this.known.clear();
    this.reports.clear();
    this.pushAccount = null;
  }

  #find(name: string) {
    const { searches, alerts, tables, schedules, enrichments } = this;
    const lists = new Map(Object.entries({ searches, alerts, tables, schedules, enrichments }));
    return lists.get(name);
  }

  #report(id: string, { method, body }: GatewayRequest): HostResponse {
    if (method === 'PUT') this.reports.set(id, tableReport.parse(body));
    return createResponse(200, this.reports.get(id) ?? { changes: false, snapshots: 0 });
  }

  #testAlert(id: string, now: number): HostResponse {
    const alert = this.alerts.find(id);
    if (alert === undefined) return createProblemResponse('not_found');
    alert.last = { at: new Date(now).toISOString(), delivered: true, error: null };
    return createResponse(200, alert);
  }

  #addKnown(id: string, { body }: GatewayRequest): HostResponse {
    const { keys } = enrichmentKeys.parse(body);
    this.known.set(id, new Set([...(this.known.get(id) ?? []), ...keys]));
    return createResponse(204, {});
  }

  /** Buys new keys. Known ones that other rows have are answered if that is free. */
  #fill(id: string, { body, now }: GatewayRequest): HostResponse {
    const enrichment = this.enrichments.find(id);
    if (enrichment === undefined) return createProblemResponse('not_found');
    const { keys, duplicates = [] } = enrichmentFill.parse(body);
    const rows = keys.flatMap((key) => {
      const isKnown = this.known.get(id)?.has(key) === true;
      const row: LookupRow =
        enrichment.count === undefined
          ? this.#lookUp(key, enrichment.family, isKnown ? 0 : enrichment.max_credits)
          : { key, status: 'fetched', credits: 0, record: { count: key.length } };
      return isKnown && (row.record === undefined || !duplicates.includes(key)) ? [] : row;
    });
    const credits = rows.reduce((sum, row) => sum + row.credits, 0);
    const found = rows.filter(({ record }) => record !== undefined).length;
    enrichment.last = { at: new Date(now).toISOString(), rows: found, changes: 0, credits };
    enrichment.month_spent += credits;
    return createResponse(200, { rows, enrichment });
  }

  /** Handles a request about a list; undefined for others. */
  answer(request: GatewayRequest): HostResponse | undefined {
    const { method, path, now } = request;
    const [name = '', id, part] = path.split('/');
    const list = this.#find(name);
    if (list === undefined) return undefined;
    const account = name === 'tables' ? { push_account: this.pushAccount } : {};
    if (method === 'GET' && id === undefined) return createResponse(200, { [name]: list.items, ...account });
    if (id !== undefined && part === 'report') return this.#report(id, request);
    if (id !== undefined && part === 'test') return this.#testAlert(id, now);
    if (id !== undefined && part === 'known') return this.#addKnown(id, request);
    if (id !== undefined && part === 'fill') return this.#fill(id, request);
    if (part === 'missing') return createResponse(204, {});
    if (part !== undefined) return undefined;
    return method === 'DELETE' && id !== undefined ? list.delete(id) : list.put(id, request);
  }
}
