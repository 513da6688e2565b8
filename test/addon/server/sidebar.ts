// Opens spreadsheets with the built add-on and calls the sidebar's server like its page.
import { inject } from 'vitest';
import { MutableWorkbook } from '../../../addon/dev/host/sheets/mutable-workbook.ts';
import type {
  Argument,
  Block,
  CellValue,
  ChangeType,
  FormulaResult,
  HostOptions,
  HostRequest,
  Journal,
  Settings,
  SheetData,
  TriggerData,
  Workbook,
} from '../../../addon/dev/host/types.ts';
import type { Approval, Method, Payload, Progress, Reply } from '../../../addon/server/api/index.ts';
import type { MethodResult } from '../../../addon/server/index.ts';
import { connectionProperty } from '../../../shared/connection.ts';
import { TestGateway } from '../gateway.ts';
import { callSidebar, callSidebarOk, openSpreadsheet, realFetch } from '../spreadsheet.ts';
import { editSheet } from './state.ts';

/** The default gateway of sidebars, reset before each test: test/addon/setup.ts. */
export const gateway = new TestGateway();

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
  /** Returns the number of calls of Google's services so far. */
  countServiceCalls: () => number;
  /** Returns the writes since the last call, in order. */
  takeWrites: () => Journal;
  getWorkbook: () => Workbook;
  getSheet: (name: string) => SheetData;
  /** Returns a copy of a sheet's values. */
  getValues: (name: string) => CellValue[][];
  getProperties: () => Record<string, string>;
  /** Reopens the spreadsheet. @returns the error of each open trigger */
  reopen: () => Promise<(string | null)[]>;
  /** Edits cells as a person: runs the edit and change triggers. @returns the error of each */
  runEditTriggers: (range: Block) => Promise<(string | null)[]>;
  /** Changes the spreadsheet as a person: runs the change triggers. @returns the error of each */
  runChangeTriggers: (changeType: ChangeType) => Promise<(string | null)[]>;
  /** Changes what Google allows. */
  updateSettings: (settings: Partial<Settings>) => void;
  /** Lists the installable triggers of all users. */
  listTriggers: () => readonly TriggerData[];
  /** Evaluates a formula in A1 of the first sheet. */
  evaluate: (name: string, ...args: Argument[]) => Promise<FormulaResult>;
  /** Chooses a menu item. */
  choose: (functionName: string) => Promise<unknown>;
  /** Resumes a run and finishes it. */
  resumeRun: (runId: string) => Promise<Progress>;
  /** Changes the workbook manually. */
  edit: (change: (workbook: Workbook) => Workbook) => void;
  /** Changes the structure of the workbook manually: developer metadata move with rows and columns. */
  apply: (journal: Journal) => void;
  /** Changes a sheet manually. */
  editSheet: (name: string, change: Parameters<typeof editSheet>[2]) => void;
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

  const callRaw = async (call: string): Promise<unknown> =>
    JSON.parse(String(await sheet.host.call('cdapiSidebar', [call])));
  const callOk: Sidebar['callOk'] = (method, payload) => callSidebarOk(sheet, method, payload);
  const getSheet = (name: string): SheetData => {
    const found = book.data.sheets.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no sheet ${name}`);
    return found;
  };
  const finishRun = async (run: Progress): Promise<Progress> => {
    let last = run;
    for (let step = 0; step < 200 && last.state === 'running'; step += 1) {
      last = await callOk('step', { runId: run.runId });
    }
    return last;
  };
  const edit = (change: (workbook: Workbook) => Workbook): void => {
    const changed = change(book.data);
    const sheets = new Set(changed.sheets.map(({ id }) => id));
    const metadata = (changed.metadata ?? []).filter(
      ({ location }) => location.type === 'SPREADSHEET' || sheets.has(location.sheet),
    );
    book = new MutableWorkbook({ ...changed, metadata }, TIME_ZONE);
  };
  return {
    callRaw,
    call: (method, payload) => callSidebar(sheet, method, payload),
    callOk,
    finishRun,
    resumeRun: async (runId) => finishRun(await callOk('step', { runId })),
    listCalls: () => sheet.requests.map(formatCall),
    countServiceCalls: () => sheet.host.usage.serviceCalls,
    takeWrites: () => {
      const writes = journal;
      journal = [];
      return writes;
    },
    getWorkbook: () => book.data,
    getSheet,
    getValues: (name) => getSheet(name).values.map((row) => [...row]),
    getProperties: () => ({ ...sheet.host.properties.document }),
    reopen: async () => (await sheet.host.runOpenTriggers()).map(({ error }) => error),
    runEditTriggers: async (range) => (await sheet.host.runEditTriggers(range)).map(({ error }) => error),
    runChangeTriggers: async (type) => (await sheet.host.runChangeTriggers(type)).map(({ error }) => error),
    listTriggers: () => sheet.host.triggers,
    evaluate: (name, ...args) =>
      sheet.host.evaluate(name, args, { sheet: book.data.sheets[0]?.name ?? '', row: 1, column: 1 }),
    updateSettings: (settings) => sheet.host.updateSettings(settings),
    choose: (functionName) => sheet.host.run(functionName),
    edit,
    apply: (writes) => book.apply(writes),
    editSheet: (name, change) => edit((workbook) => editSheet(workbook, name, change)),
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

/** Starts a run and finishes it. */
export async function completeRun<M extends StartMethod>(
  sidebar: Sidebar,
  method: M,
  order: Omit<Payload<M>, 'approval'>,
): Promise<Progress> {
  return sidebar.finishRun(await startRun(sidebar, method, order));
}

/** Parses the JSON body of a request. */
export function parseBody(request: HostRequest): unknown {
  return request.body === null ? undefined : JSON.parse(new TextDecoder().decode(request.body));
}
