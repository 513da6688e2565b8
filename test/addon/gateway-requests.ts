// Data requests of the in-memory gateway. Polling for changes completes them.
import type { HostRequest, HostResponse } from '../../addon/dev/host/types.ts';
import type { DataRequestEstimate, DataRequestView, NewDataRequest } from '../../shared/api/data-requests.ts';
import { getRecordPrice } from '../../shared/operations.ts';
import { createResponse } from './spreadsheet.ts';

/** Rows can be read for 30 days. */
const RETENTION_MS = 30 * 86_400_000;

/** Returns the value of a person in a column. */
const personValue = (id: number, column: string): string | number =>
  column === 'id' ? id : `${column} of ${id}`;

export class TestRequests {
  /** Newest first. */
  all: DataRequestView[] = [];
  /** Orders are not delivered. */
  isHeld = false;
  /** Number of records that each search matches. */
  matching = Number.POSITIVE_INFINITY;

  reset(): void {
    this.all = [];
    this.isHeld = false;
    this.matching = Number.POSITIVE_INFINITY;
  }

  /** All searches of a family match the same records, so its largest delivery has all that were bought. */
  #estimate({ family, limit = 20, ...selection }: NewDataRequest): DataRequestEstimate {
    const keys = 'keys' in selection ? selection.keys.length : undefined;
    const matching = Number.isFinite(this.matching) ? this.matching : limit;
    const records = keys ?? Math.min(limit, matching);
    const bought = this.all.filter((each) => each.family === family).map(({ rows }) => rows);
    const cached = Math.min(records, Math.max(0, ...bought));
    const ordered = records - cached;
    const credits = ordered * getRecordPrice(family);
    return { total: keys ?? matching, records, cached, ordered, credits };
  }

  #create(body: NewDataRequest, now: number): DataRequestView {
    const at = new Date(now).toISOString();
    const { records, cached, credits } = this.#estimate(body);
    const request: DataRequestView = {
      id: `00000000-0000-4000-8000-${String(this.all.length + 1).padStart(12, '0')}`,
      state: 'submitted',
      family: body.family,
      kind: body.kind,
      cancel_requested: false,
      requested: records,
      cached,
      rows: 0,
      credits: { reserved: credits, charged: null, saved: 0 },
      files: [],
      columns: body.columns ?? [],
      created_at: at,
      updated_at: at,
      ended_at: null,
      rows_until: new Date(now + RETENTION_MS).toISOString(),
    };
    const created = cached === records ? this.#deliver(request, now) : request;
    this.all.unshift(created);
    return created;
  }

  #deliver(request: DataRequestView, now: number): DataRequestView {
    if (request.ended_at !== null || this.isHeld) return request;
    const { requested, cached, family, credits, cancel_requested } = request;
    const saved = cached * getRecordPrice(family);
    return {
      ...request,
      state: cancel_requested ? 'cancelled' : 'ready',
      rows: requested,
      credits: { reserved: 0, charged: credits.reserved, saved },
      ended_at: new Date(now).toISOString(),
    };
  }

  /** A sent request stays charged. */
  #stop(request: DataRequestView, now: number): HostResponse {
    const released = request.state === 'reserved';
    const stopped: DataRequestView = {
      ...request,
      state: 'cancelled',
      cancel_requested: true,
      ...(released && {
        credits: { reserved: 0, charged: 0, saved: 0 },
        ended_at: new Date(now).toISOString(),
      }),
    };
    this.all = this.all.map((each) => (each === request ? stopped : each));
    const message = released
      ? 'It was not sent.'
      : 'It was sent before: the provider charges it all the same.';
    return createResponse(200, { request: stopped, released, message });
  }

  #changes(since: number, now: number): HostResponse {
    this.all = this.all.map((request) => this.#deliver(request, now));
    const changes = this.all
      .filter(({ ended_at }) => ended_at !== null)
      .toReversed()
      .map(({ id, ended_at: at }) => ({ kind: 'request', id, at }));
    return createResponse(200, {
      changes: changes.slice(since),
      cursor: String(changes.length),
      more: false,
    });
  }

  #rows({ rows, columns }: DataRequestView, query: URLSearchParams): HostResponse {
    const names = query.get('columns')?.split(',') ?? columns ?? [];
    const from = Number(query.get('after') ?? 0);
    const to = Math.min(rows, from + Number(query.get('limit')));
    return createResponse(200, {
      columns: names.map((name) => ({ name, type: name === 'id' ? 'integer' : 'text' })),
      rows: Array.from({ length: to - from }, (_, at) =>
        names.map((name) => personValue(from + at + 1, name)),
      ),
      after: to < rows ? String(to) : null,
    });
  }

  /**
   * Handles a request about data requests; undefined for others.
   * @param now - in ms
   */
  answer({ method, url, body }: HostRequest, now: number): HostResponse | undefined {
    const { pathname, searchParams } = new URL(url);
    const [, kind, id, part] =
      /\/v1\/(requests|changes|estimate\/data-request)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
    const sent = body === null ? {} : JSON.parse(new TextDecoder().decode(body));
    if (kind === 'changes') return this.#changes(Number(searchParams.get('since') ?? 0), now);
    if (kind === 'estimate/data-request') return createResponse(200, this.#estimate(sent));
    if (kind !== 'requests') return undefined;
    if (id === undefined)
      return method.toUpperCase() === 'POST'
        ? createResponse(201, this.#create(sent, now))
        : createResponse(200, { requests: this.all, after: null });
    const found = this.all.find((request) => request.id === id);
    if (found === undefined) return createResponse(404, { code: 'not_found' });
    if (method.toUpperCase() === 'DELETE') return this.#stop(found, now);
    if (part === 'ticket')
      return createResponse(200, { ticket: 'ticket', expires_at: new Date(now + 60_000).toISOString() });
    return part === 'rows' ? this.#rows(found, searchParams) : createResponse(200, found);
  }
}
