// Bulk orders and deliveries for tests.
import { inject, vi } from 'vitest';
import type { CellValue, HostRequest, HostResponse, TriggerData } from '../../../../addon/dev/host/types.ts';
import type { BulkList, BulkOrder, Delivery, Progress, Reply } from '../../../../addon/server/api/index.ts';
import type { DataRequestView } from '../../../../shared/api/data-requests.ts';
import { createResponse } from '../../spreadsheet.ts';
import { gateway, openSidebar, type Sidebar, type SidebarOptions } from '../sidebar.ts';

export const peopleColumns = ['id', 'full_name', 'headline', 'location'];

/** Headings of the columns. */
export const peopleHeadings = ['ID', 'Full name', 'Headline', 'Location'];

/** Creates an order of the first 20 people into a new sheet. */
export function createBulkOrder(more: Partial<BulkOrder> = {}): BulkOrder {
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

/** Places an order like the page: with the approval of its plan. */
export async function tryStartBulk(
  sidebar: Sidebar,
  order: BulkOrder & { confirmed?: boolean },
): Promise<Reply<BulkList>> {
  const plan = await sidebar.call('planBulk', order);
  const approval = plan.ok ? plan.value.approval : { credits: 0, digest: '' };
  return sidebar.call('startBulk', { ...order, approval });
}

/** Waits until no open order of another test contains the same records. */
async function waitForOtherOrders(sidebar: Sidebar, order: BulkOrder): Promise<void> {
  await vi.waitFor(
    async () => {
      const plan = await sidebar.call('planBulk', order);
      if (plan.ok && plan.value.warnings.some((warning) => warning.includes('in another order'))) {
        throw new Error('another order is open');
      }
    },
    { timeout: 120_000, interval: 250 },
  );
}

/** Places an order. @throws if it fails */
export async function startBulk(
  sidebar: Sidebar,
  order: BulkOrder & { confirmed?: boolean },
): Promise<BulkList> {
  await waitForOtherOrders(sidebar, order);
  const reply = await tryStartBulk(sidebar, order);
  if (!reply.ok) throw new Error(`${reply.code}: ${reply.message}`);
  return reply.value;
}

/** Waits for the first delivery. */
export async function waitForDelivery(sidebar: Sidebar): Promise<Delivery> {
  return vi.waitFor(
    async () => {
      const [first] = (await sidebar.callOk('deliveries', {})).deliveries;
      if (first === undefined) throw new Error('nothing is ready');
      return first;
    },
    { timeout: 120_000, interval: 250 },
  );
}

/** Writes a delivery until its run ends. */
export async function writeDelivery(
  sidebar: Sidebar,
  { tableId, rowsId, kind }: Delivery,
): Promise<Progress> {
  return sidebar.finishRun(await sidebar.callOk('writeDelivery', { tableId, rowsId, kind }));
}

/** Places an order and writes its rows. */
export async function completeBulk(sidebar: Sidebar, order: BulkOrder): Promise<Progress> {
  await startBulk(sidebar, order);
  return writeDelivery(sidebar, await waitForDelivery(sidebar));
}

/** Limits the page size of the in-memory gateway. */
export function limitPages(size: number) {
  return (request: HostRequest): Promise<HostResponse> =>
    gateway.fetch({ ...request, url: request.url.replace(/\blimit=\d+(?=.*\/?$)/, `limit=${size}`) });
}

const isoTime = '2026-01-01T00:00:00.000Z';

/** Creates a ready data request. */
export function createReadyRequest(more: Partial<DataRequestView> = {}): DataRequestView {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    state: 'ready',
    family: 'employee_base',
    kind: 'ids',
    cancel_requested: false,
    requested: 1,
    cached: 0,
    rows: 1,
    credits: { reserved: 0, charged: 10, saved: 30 },
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
 * Creates a gateway with one ready data request.
 * @param rows - rows of the request, ids first
 * @param page - maximum number of rows per page
 */
export function createScriptedRequest(
  rows: readonly (readonly CellValue[])[],
  names: readonly string[] = ['id', 'name'],
  page = rows.length,
) {
  const request = createReadyRequest({ rows: rows.length, columns: [...names] });
  const columns = names.map((name) => ({ name, type: 'text' }));
  return {
    id: request.id,
    fetch: async ({ url }: HostRequest): Promise<HostResponse> => {
      const { pathname, searchParams } = new URL(url);
      if (!pathname.endsWith('/rows')) return createResponse(200, pathname.endsWith('/runs') ? {} : request);
      const from = Number(searchParams.get('after') ?? 0);
      const to = from + Math.min(page, Number(searchParams.get('limit')));
      return createResponse(200, {
        columns,
        rows: rows.slice(from, to),
        after: to < rows.length ? String(to) : null,
      });
    },
  };
}

/** Calls the gateway's API with the team's token. */
export async function callAsTeam<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { url, team_token: token } = inject('session');
  const response = await fetch(`${url}/sheets/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

export const dropEmptyRows = (values: readonly (readonly CellValue[])[]): CellValue[][] =>
  values.filter((row) => row.some((cell) => cell !== '')).map((row) => [...row]);

export const openTrigger: TriggerData = {
  uid: 'opening',
  functionName: 'cdapiOnOpen',
  user: 'viewer@team.example',
  document: 'workbook',
  event: 'ON_OPEN',
};

/** Opens a spreadsheet with an ordered table of 20 people whose delivery is ready. */
export async function openWithDelivery(
  options: SidebarOptions = {},
): Promise<{ sidebar: Sidebar; delivery: Delivery }> {
  const sidebar = await openSidebar(options);
  await startBulk(sidebar, createBulkOrder());
  return { sidebar, delivery: await waitForDelivery(sidebar) };
}

/** Checks in the list of orders whether a delivery was written. */
export async function isWritten(sidebar: Sidebar, { rowsId }: Delivery): Promise<boolean | undefined> {
  const { requests } = await sidebar.callOk('bulkRequests', {});
  return requests.find(({ id }) => id === rowsId)?.written;
}
