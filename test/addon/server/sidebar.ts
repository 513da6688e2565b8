// Opens spreadsheets with the built add-on and calls the sidebar's server like its page.
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
import { openSpreadsheet, realFetch } from '../spreadsheet.ts';

/** The default gateway of sidebars, reset before each test. */
export const gateway = new TestGateway();
beforeEach(() => gateway.reset());

/** A sidebar and its spreadsheet. */
export interface Sidebar {
  /** Calls the public function with raw text. */
  callRaw: (call: string) => Promise<unknown>;
  /** Calls a method like the page. */
  call: <M extends Method>(method: M, payload: Payload<M>) => Promise<Reply<MethodResult<M>>>;
  /** Calls a method. @throws if it fails */
  callOk: <M extends Method>(method: M, payload: Payload<M>) => Promise<MethodResult<M>>;
  /** Steps a run until it is done, paused or stopped. */
  finishRun: (run: Progress) => Promise<Progress>;
  /** Lists the requests to the gateway, such as `POST lookup`. */
  listCalls: () => string[];
  /** Returns the writes since the last call, in order. */
  takeWrites: () => Journal;
  getWorkbook: () => Workbook;
  getSheet: (name: string) => SheetData;
  /** Returns a copy of a sheet's values. */
  getValues: (name: string) => CellValue[][];
  getProperties: () => Record<string, string>;
  /** Reopens the spreadsheet. @returns the error of each open trigger */
  reopen: () => Promise<(string | null)[]>;
  /** Changes the workbook manually. */
  edit: (change: (workbook: Workbook) => Workbook) => void;
  close: () => void;
}

const TIME_ZONE = 'Europe/Berlin';

/** Creates a workbook with one sheet. */
export function createWorkbook(
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

const EMPTY = createWorkbook([]);

function formatCall({ method, url }: HostRequest): string {
  return `${method.toUpperCase()} ${url.replace(/^.*\/sheets\/v1\//, '')}`;
}

export type SidebarOptions = Partial<Omit<HostOptions, 'workbook'>> & { workbook?: Workbook };

/**
 * Opens a spreadsheet with its sidebar.
 * @param options - default: an empty spreadsheet connected to the in-memory gateway
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
    callRaw: raw,
    call: ask,
    callOk: value,
    finishRun: async (run) => {
      let last = run;
      for (let step = 0; step < 200 && last.state === 'running'; step += 1) {
        last = await value('step', { runId: run.runId });
      }
      return last;
    },
    listCalls: () => sheet.requests.map(formatCall),
    takeWrites: () => {
      const seen = journal;
      journal = [];
      return seen;
    },
    getWorkbook: () => book.data,
    getSheet: named,
    getValues: (name) => named(name).values.map((row) => [...row]),
    getProperties: () => ({ ...sheet.host.properties.document }),
    reopen: async () => (await sheet.host.runOpenTriggers()).map(({ error }) => error),
    edit: (change) => {
      book = new MutableWorkbook(change(book.data), TIME_ZONE);
    },
    close: () => sheet.host.close(),
  };
}

/** Opens a sidebar connected to the running instance. */
export const openInstanceSidebar = (options: SidebarOptions = {}): Promise<Sidebar> =>
  openSidebar({ fetch: realFetch, ...options });

/** The plan method of each method that starts a run. */
const planMethods = {
  startSearch: 'planSearch',
  startEnrich: 'planEnrich',
  refreshTable: 'planRefresh',
  startRecords: 'planRecords',
} as const;
type StartMethod = keyof typeof planMethods;

/** Starts a run like the page: with the approval of its plan. */
export async function tryStartRun<M extends StartMethod>(
  sidebar: Sidebar,
  method: M,
  order: Omit<Payload<M>, 'approval'>,
): Promise<Reply<Progress>> {
  const plan = (await sidebar.callRaw(
    JSON.stringify({ method: planMethods[method], payload: order }),
  )) as Reply<{
    approval: Approval;
  }>;
  const approval = plan.ok ? plan.value.approval : { credits: 0, digest: '' };
  return (await sidebar.callRaw(
    JSON.stringify({ method, payload: { ...order, approval } }),
  )) as Reply<Progress>;
}

/** Starts a run. @throws if it fails */
export async function startRun<M extends StartMethod>(
  sidebar: Sidebar,
  method: M,
  order: Omit<Payload<M>, 'approval'>,
): Promise<Progress> {
  const reply = await tryStartRun(sidebar, method, order);
  if (!reply.ok) throw new Error(`${reply.code}: ${reply.message}`);
  return reply.value;
}

/** Parses the JSON body of a request. */
export function parseBody(request: HostRequest): unknown {
  return request.body === null ? undefined : JSON.parse(new TextDecoder().decode(request.body));
}
