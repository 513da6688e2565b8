// What a person in front of the sidebar asks for in bulk, and the rows that come of it.
import { inject, vi } from 'vitest';
import type { CellValue, HostRequest, HostResponse, TriggerData } from '../../../../addon/dev/host/types.ts';
import type { BulkList, BulkOrder, Delivery, Progress, Reply } from '../../../../addon/server/api/index.ts';
import type { DataRequestView } from '../../../../shared/api/data-requests.ts';
import { answer } from '../../spreadsheet.ts';
import { gateway, openSidebar, type Sidebar, type SidebarOptions } from '../sidebar.ts';

/** The columns of people where a test says no others. */
export const peopleColumns = ['id', 'full_name', 'headline', 'location'];

/** The first 20 people into a new sheet. */
export function bulkOrder(more: Partial<BulkOrder> = {}): BulkOrder {
  return {
    family: 'employee_base',
    source: { by: 'search', query: { text: '*' }, limit: 20 },
    columns: peopleColumns,
    where: { kind: 'newSheet' },
    mode: 'replace',
    title: 'People',
    push: false,
    ...more,
  };
}

/** Orders as the page does: with the approval of the plan that it shows. */
export async function askBulk(
  bar: Sidebar,
  order: BulkOrder & { confirmed?: boolean },
): Promise<Reply<BulkList>> {
  const plan = await bar.ask('planBulk', order);
  const approval = plan.ok ? plan.value.approval : { credits: 0, digest: '' };
  return bar.ask('startBulk', { ...order, approval });
}

/** Waits until no order of another test has records of this one on their way. */
async function nothingOnOrder(bar: Sidebar, order: BulkOrder): Promise<void> {
  await vi.waitFor(
    async () => {
      const plan = await bar.ask('planBulk', order);
      if (plan.ok && plan.value.warnings.some((warning) => warning.includes('in another order'))) {
        throw new Error('Its records are on their way in another order.');
      }
    },
    { timeout: 120_000, interval: 250 },
  );
}

/** Orders, and throws what was refused. */
export async function startBulk(bar: Sidebar, order: BulkOrder & { confirmed?: boolean }): Promise<BulkList> {
  await nothingOnOrder(bar, order);
  const reply = await askBulk(bar, order);
  if (!reply.ok) throw new Error(`${reply.code}: ${reply.message}`);
  return reply.value;
}

/** What is ready for the spreadsheet, once there is something. */
export async function arrived(bar: Sidebar): Promise<Delivery> {
  return vi.waitFor(
    async () => {
      const [first] = (await bar.value('deliveries', {})).deliveries;
      if (first === undefined) throw new Error('nothing is ready');
      return first;
    },
    { timeout: 120_000, interval: 250 },
  );
}

/** Writes what is ready until the run ends. */
export async function landed(bar: Sidebar, { tableId, rowsId, kind }: Delivery): Promise<Progress> {
  return bar.finish(await bar.value('writeDelivery', { tableId, rowsId, kind }));
}

/** The gateway in memory, but for pages of rows, which are of so many rows. */
export function pagesOf(size: number) {
  return (request: HostRequest): Promise<HostResponse> =>
    gateway.fetch({ ...request, url: request.url.replace(/\blimit=\d+(?=.*\/?$)/, `limit=${size}`) });
}

const isoTime = '2026-01-01T00:00:00.000Z';

/** A bulk request that is ready. */
export function readyRequest(more: Partial<DataRequestView> = {}): DataRequestView {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    state: 'ready',
    family: 'employee_base',
    kind: 'ids',
    watched: true,
    asked: 1,
    cached: 0,
    rows: 1,
    credits: { reserved: 0, charged: 10 },
    files: [],
    columns: ['id', 'name'],
    created_at: isoTime,
    updated_at: isoTime,
    ended_at: isoTime,
    rows_until: isoTime,
    ...more,
  };
}

/**
 * A scripted Worker that has one request with these rows, their ids first.
 * @param page - the most rows of an answer
 */
export function scripted(
  rows: readonly (readonly CellValue[])[],
  names: readonly string[] = ['id', 'name'],
  page = rows.length,
) {
  const request = readyRequest({ rows: rows.length, columns: [...names] });
  const columns = names.map((name) => ({ name, type: 'text' }));
  return {
    id: request.id,
    fetch: async ({ url }: HostRequest): Promise<HostResponse> => {
      const { pathname, searchParams } = new URL(url);
      if (!pathname.endsWith('/rows')) return answer(200, pathname.endsWith('/runs') ? {} : request);
      const from = Number(searchParams.get('after') ?? 0);
      const to = from + Math.min(page, Number(searchParams.get('limit')));
      return answer(200, {
        columns,
        rows: rows.slice(from, to),
        after: to < rows.length ? String(to) : null,
      });
    },
  };
}

/** Asks the Worker as the team. */
export async function team<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { url, team_token: token } = inject('session');
  const response = await fetch(`${url}/sheets/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

/** The rows that hold something. */
export const full = (values: readonly (readonly CellValue[])[]): CellValue[][] =>
  values.filter((row) => row.some((cell) => cell !== '')).map((row) => [...row]);

/** A trigger that runs when the spreadsheet is opened. */
export const opening: TriggerData = {
  uid: 'opening',
  functionName: 'cdapiOnOpen',
  user: 'viewer@team.example',
  document: 'workbook',
  event: 'ON_OPEN',
};

/** A spreadsheet whose table of 20 people waits for rows that are ready. */
export async function waiting(options: SidebarOptions = {}): Promise<{ bar: Sidebar; delivery: Delivery }> {
  const bar = await openSidebar(options);
  await startBulk(bar, bulkOrder());
  return { bar, delivery: await arrived(bar) };
}

/** Whether the rows of a request are in its table, by the list of requests. */
export async function isWritten(bar: Sidebar, { rowsId }: Delivery): Promise<boolean | undefined> {
  const { requests } = await bar.value('bulkRequests', {});
  return requests.find(({ id }) => id === rowsId)?.written;
}
