// A spreadsheet with the built add-on in it, and calls as the sidebar's page makes them.
import { beforeEach, inject } from 'vitest';
import { MutableWorkbook } from '../../../addon/dev/host/sheets/mutable-workbook.ts';
import type {
  CellValue,
  HostOptions,
  HostRequest,
  Journal,
  SheetData,
  Workbook,
} from '../../../addon/dev/host/types.ts';
import type {
  Approval,
  Method,
  MethodResult,
  Payload,
  Progress,
  Reply,
} from '../../../addon/server/api/index.ts';
import { connectionProperty } from '../../../shared/connection.ts';
import { TestGateway } from '../gateway.ts';
import { network, openSpreadsheet } from '../spreadsheet.ts';

/** The gateway behind a sidebar that is given no other; it has forgotten everything before each test. */
export const gateway = new TestGateway();
beforeEach(() => gateway.reset());

/** A sidebar under test. */
export interface Sidebar {
  /** Calls the public function with a text. */
  raw: (call: string) => Promise<unknown>;
  /** Asks as the page does. */
  ask: <M extends Method>(method: M, payload: Payload<M>) => Promise<Reply<MethodResult<M>>>;
  /** Asks, and throws what was refused. */
  value: <M extends Method>(method: M, payload: Payload<M>) => Promise<MethodResult<M>>;
  /** Steps a run until it is done, paused or stopped; gives all that was told. */
  finish: (run: Progress) => Promise<Progress>;
  /** Requests of the Worker: `POST lookup`. */
  calls: () => string[];
  /** What was written since the last look, in the order of writing. */
  writes: () => Journal;
  workbook: () => Workbook;
  sheet: (name: string) => SheetData;
  /** What a sheet's cells hold. */
  values: (name: string) => CellValue[][];
  properties: () => Record<string, string>;
  /** Opens the spreadsheet again; gives what its triggers were refused with. */
  reopen: () => Promise<(string | null)[]>;
  /** Changes the workbook as a person would. */
  edit: (change: (workbook: Workbook) => Workbook) => void;
  close: () => void;
}

const TIME_ZONE = 'Europe/Berlin';

/** A workbook of one sheet. */
export function workbookOf(
  values: readonly (readonly CellValue[])[],
  sheet: Partial<SheetData> = {},
): Workbook {
  return {
    id: 'workbook',
    name: 'Workbook',
    timeZone: TIME_ZONE,
    sheets: [{ id: 1, name: 'Sheet1', values, maxRows: Math.max(1000, values.length), ...sheet }],
  };
}

const EMPTY = workbookOf([]);

function pathOf({ method, url }: HostRequest): string {
  return `${method.toUpperCase()} ${url.replace(/^.*\/sheets\/v1\//, '')}`;
}

export type SidebarOptions = Partial<Omit<HostOptions, 'workbook'>> & { workbook?: Workbook };

/**
 * Opens a spreadsheet with its sidebar.
 * @param options - what differs from an empty spreadsheet that is connected to the gateway in memory
 */
export async function openSidebar(options: SidebarOptions = {}): Promise<Sidebar> {
  const { url, team_token: token } = inject('session');
  const connection = { [connectionProperty]: JSON.stringify({ url, token }) };
  let journal: Journal = [];
  let book = new MutableWorkbook(options.workbook ?? EMPTY, TIME_ZONE);
  const sheet = await openSpreadsheet({
    properties: { document: connection },
    fetch: gateway.fetch,
    ...options,
    workbook: () => book.data,
    onWrites: async (writes) => {
      book.apply(writes);
      journal = [...journal, ...writes];
      await options.onWrites?.(writes);
    },
  });

  const raw = async (call: string): Promise<unknown> =>
    JSON.parse(String(await sheet.host.call('cdapiSidebar', [call])));
  const ask = async <M extends Method>(method: M, payload: Payload<M>): Promise<Reply<MethodResult<M>>> =>
    (await raw(JSON.stringify({ method, payload }))) as Reply<MethodResult<M>>;
  const value = async <M extends Method>(method: M, payload: Payload<M>): Promise<MethodResult<M>> => {
    const reply = await ask(method, payload);
    if (!reply.ok) throw new Error(`${reply.code}: ${reply.message}`);
    return reply.value;
  };
  const named = (name: string): SheetData => {
    const found = book.data.sheets.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no sheet ${name}`);
    return found;
  };
  return {
    raw,
    ask,
    value,
    finish: async (run) => {
      let last = run;
      for (let step = 0; step < 200 && last.state === 'running'; step += 1) {
        last = await value('step', { runId: run.runId });
      }
      return last;
    },
    calls: () => sheet.sent.map(pathOf),
    writes: () => {
      const seen = journal;
      journal = [];
      return seen;
    },
    workbook: () => book.data,
    sheet: named,
    values: (name) => named(name).values.map((row) => [...row]),
    properties: () => ({ ...sheet.host.properties.document }),
    reopen: async () => (await sheet.host.runOpenTriggers()).map(({ error }) => error),
    edit: (change) => {
      book = new MutableWorkbook(change(book.data), TIME_ZONE);
    },
    close: () => sheet.host.close(),
  };
}

/** Opens a sidebar that is connected to the running instance. */
export const openConnected = (options: SidebarOptions = {}): Promise<Sidebar> =>
  openSidebar({ fetch: network, ...options });

/** The plan that belongs to each method that starts a run. */
const planned = {
  startSearch: 'planSearch',
  startEnrich: 'planEnrich',
  refreshTable: 'planRefresh',
  startRecords: 'planRecords',
} as const;
type Starter = keyof typeof planned;

/** Starts a run as the page does: with the approval of the plan that it shows. */
export async function startAsking<M extends Starter>(
  bar: Sidebar,
  method: M,
  order: Omit<Payload<M>, 'approval'>,
): Promise<Reply<Progress>> {
  const plan = (await bar.raw(JSON.stringify({ method: planned[method], payload: order }))) as Reply<{
    approval: Approval;
  }>;
  const approval = plan.ok ? plan.value.approval : { credits: 0, digest: '' };
  return (await bar.raw(JSON.stringify({ method, payload: { ...order, approval } }))) as Reply<Progress>;
}

/** Starts a run, and throws what was refused. */
export async function startRun<M extends Starter>(
  bar: Sidebar,
  method: M,
  order: Omit<Payload<M>, 'approval'>,
): Promise<Progress> {
  const reply = await startAsking(bar, method, order);
  if (!reply.ok) throw new Error(`${reply.code}: ${reply.message}`);
  return reply.value;
}

/** What a request holds as JSON. */
export function bodyOf(request: HostRequest): unknown {
  return request.body === null ? undefined : JSON.parse(new TextDecoder().decode(request.body));
}
