// A spreadsheet with contents for every tab of the sidebar.
import type { UsageResponse } from '../../shared/api/usage.ts';
import {
  createBulkOrder,
  startBulk,
  waitForDelivery,
  writeDelivery,
} from '../addon/server/bulk/bulk-orders.ts';
import { createSearchOrder, runEnrichment, runSearch } from '../addon/server/orders.ts';
import { createWorkbook, gateway, type Sidebar as Server, startRun } from '../addon/server/sidebar.ts';
import { NOW, type SidebarOptions } from './sidebar.ts';

const amounts = { spent: 1840, saved: 2210 };

/** The report of a team that has spent credits on two days, for everything. @param name - of a person */
const createUsage = (name: string): UsageResponse => ({
  ...{ from: '2026-10-24', to: '2026-11-22', total: amounts },
  days: [
    { day: '2026-11-20', spent: 1380, saved: 2180 },
    { day: '2026-11-22', spent: 460, saved: 30 },
  ],
  families: [{ family: 'company_clean', ...amounts }],
  sources: (['table', 'formula', 'bulk', 'schedule', 'other'] as const).map((source) => ({
    ...{ source, spent: 368, saved: 442 },
  })),
  today: [],
  people: [{ name, ...amounts }],
});

const keys = ['a.example', 'nobody.example', 'b.example', 'c.example'];
const results = ['Name of a', '#NOT_FOUND', '#BUDGET', '#PENDING'];

/** Fills the gateway, and the sheets with tables. */
async function fill(server: Server, sheet: string, title: string): Promise<void> {
  gateway.lists.alerts.items = [
    {
      id: 'alert',
      host: title,
      on: ['failure'],
      budget_percents: [80, 100],
      last: null,
      created_at: NOW.toISOString(),
    },
  ];
  gateway.lists.pushAccount = title;
  gateway.answer('GET usage', () => createUsage(title));
  await runSearch(server, { title, query: { filters: { name: title } }, pages: 1 });
  await runEnrichment(server, { sheet, fields: ['name', 'industry'] });
  await runSearch(server, { title, query: { text: 'industry:*ing' }, pages: 1 });
  const deleted = server.getWorkbook().sheets.at(-1)?.name;
  server.edit((workbook) => ({
    ...workbook,
    sheets: workbook.sheets.filter(({ name }) => name !== deleted),
  }));
  const unfinished = createSearchOrder({ title, query: { text: 'NOT industry:*ing' } });
  const { runId } = await startRun(server, 'startSearch', unfinished);
  await server.callOk('stop', { runId });
  await startBulk(server, createBulkOrder({ title }));
  await writeDelivery(server, await waitForDelivery(server));
  gateway.requests.isHeld = true;
  await startBulk(server, createBulkOrder({ family: 'company_base', columns: ['id', 'name'], title }));
  const problem = { code: 'provider_unavailable', detail: title, fix: title } as const;
  gateway.requests.all = gateway.requests.all.flatMap((each) =>
    each.ended_at === null
      ? [each, { ...each, id: 'failed', state: 'failed', problem, ended_at: each.created_at }]
      : each,
  );
  gateway.refuse('POST search', 'internal', title);
  await server.call('count', { family: 'company_base', query: { text: '*' } });
  gateway.allow('POST search');
}

/**
 * Options of a page whose tabs have contents.
 * @param name - of everything that has a name or says something
 */
export function createFilled(name?: string): SidebarOptions {
  const sheet = name ?? 'Companies';
  const book = createWorkbook([[name ?? 'Website', 'Sector'], ...keys.map((key) => [key, 'Tools'])], {
    name: sheet,
  });
  const lookups = { id: 2, name: `${sheet} 2`, values: keys.map((key, at) => [key, results[at] ?? '']) };
  const formulas = keys.map((_, at) => ['', `=CDAPI_ENRICH(A${at + 1}; "name")`]);
  return {
    workbook: { ...book, sheets: [...book.sheets, { ...lookups, formulas }] },
    events: () => '',
    before: (server) => fill(server, sheet, name ?? 'A name that is long: companies'),
  };
}
