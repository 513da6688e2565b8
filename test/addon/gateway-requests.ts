// Data requests of the in-memory gateway. Polling for changes completes them.
import type { HostRequest, HostResponse } from '../../addon/dev/host/types.ts';
import type { DataRequestView, NewDataRequest } from '../../shared/api/data-requests.ts';
import { getRecordPrice } from '../../shared/operations.ts';
import { createResponse } from './spreadsheet.ts';

const AT = '2026-01-01T00:00:00.000Z';

/** Returns the value of a person in a column. */
const personValue = (id: number, column: string): string | number =>
  column === 'id' ? id : `${column} of ${id}`;

export class TestRequests {
  #requests: DataRequestView[] = [];

  reset(): void {
    this.#requests = [];
  }

  #create({ family, kind, limit = 20, columns = [] }: NewDataRequest): DataRequestView {
    const request: DataRequestView = {
      id: `00000000-0000-4000-8000-${String(this.#requests.length + 1).padStart(12, '0')}`,
      state: 'submitted',
      family,
      kind,
      watched: true,
      asked: limit,
      cached: 0,
      rows: 0,
      credits: { reserved: limit * getRecordPrice(family), charged: null, saved: 0 },
      files: [],
      columns,
      created_at: AT,
      updated_at: AT,
      ended_at: null,
      rows_until: AT,
    };
    this.#requests.unshift(request);
    return request;
  }

  #deliver(request: DataRequestView): DataRequestView {
    if (request.state !== 'submitted') return request;
    const { asked, credits } = request;
    const charged = { reserved: 0, charged: credits.reserved, saved: 0 };
    const delivered = { rows: asked, credits: charged, ended_at: AT };
    return { ...request, ...delivered, state: 'ready' };
  }

  #changes(since: number): HostResponse {
    this.#requests = this.#requests.map((request) => this.#deliver(request));
    const changes = this.#requests.toReversed().map(({ id }) => ({ kind: 'request', id, at: AT }));
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

  /** Handles a request about data requests; undefined for others. */
  answer({ method, url, body }: HostRequest): HostResponse | undefined {
    const { pathname, searchParams } = new URL(url);
    const [, kind, id, part] =
      /\/v1\/(requests|changes|estimate\/data-request)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
    const sent = body === null ? {} : JSON.parse(new TextDecoder().decode(body));
    if (kind === 'changes') return this.#changes(Number(searchParams.get('since') ?? 0));
    if (kind === 'estimate/data-request') {
      const records = sent.limit ?? 20;
      const credits = records * getRecordPrice(sent.family);
      return createResponse(200, { total: records, records, cached: 0, ordered: records, credits });
    }
    if (kind !== 'requests') return undefined;
    if (id === undefined)
      return method === 'POST'
        ? createResponse(201, this.#create(sent))
        : createResponse(200, { requests: this.#requests, after: null });
    const found = this.#requests.find((request) => request.id === id);
    if (found === undefined) return createResponse(404, { code: 'not_found' });
    return part === 'rows' ? this.#rows(found, searchParams) : createResponse(200, found);
  }
}
