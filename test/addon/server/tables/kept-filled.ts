// A list whose looked-up columns are kept filled, for tests.
import { expect } from 'vitest';
import type { HostRequest, HostResponse } from '../../../../addon/dev/host/types.ts';
import { createProblemResponse } from '../../gateway-lists.ts';
import { createEnrichOrder, createList, runEnrichment } from '../orders.ts';
import { gateway, openSidebar, type Sidebar, type SidebarOptions } from '../sidebar.ts';

export const SETTINGS = {
  push: false,
  every: 'day',
  max_credits: 100,
  month_credits: 1000,
  paused: false,
  refresh_days: null,
} as const;

/** Opens a spreadsheet with two rows that are kept filled. The answers of fills can be lost. */
export async function openKept(options: SidebarOptions = {}) {
  const answers = { areLost: false };
  const workbook = createList(['a.example', 'b.example']);
  const fetch = async (request: HostRequest): Promise<HostResponse> => {
    const answer = await gateway.fetch(request);
    const isLost = answers.areLost && request.url.endsWith('/fill');
    return isLost ? createProblemResponse('gateway_unavailable') : answer;
  };
  const sidebar = await openSidebar({ workbook, fetch, ...options });
  const { runId } = await runEnrichment(sidebar, createEnrichOrder());
  const [table] = await sidebar.callOk('tables', {});
  const tableId = table?.id ?? '';
  const saved = await sidebar.callOk('setEnrichment', { tableId, settings: SETTINGS });
  expect(saved.enrichment).toMatchObject({
    state: 'on',
    key: { heading: 'Website' },
    by: 'website',
    ...SETTINGS,
  });
  return { sidebar, answers, tableId, runId };
}

export const listKept = () => gateway.lists.enrichments.items;
export const listKnown = (id: string): string[] => [...(gateway.lists.known.get(id) ?? [])];

/** Lists the bought keys of rows that were added. */
export const listBought = (): string[] =>
  [...gateway.bought].flatMap(([id, times]) => Array(times).fill(id.replace('company_clean ', ''))).slice(2);

export const addRows = (sidebar: Sidebar, ...keys: string[]): void =>
  sidebar.editSheet('Sheet1', (sheet) => ({
    ...sheet,
    values: [...sheet.values, ...keys.map((key) => [key])],
  }));

/** Polls. @returns the calls about columns that are kept filled */
export async function pollEnrichments(sidebar: Sidebar): Promise<string[]> {
  const before = sidebar.listCalls().length;
  await sidebar.callOk('deliveries', {});
  return sidebar
    .listCalls()
    .slice(before)
    .filter((call) => call.includes('enrichments'));
}
