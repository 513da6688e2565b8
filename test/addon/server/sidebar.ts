// Opens spreadsheets with the built add-on and calls the sidebar's server like its page.
import { inject } from 'vitest';
import { MutableWorkbook } from '../../../addon/dev/host/sheets/mutable-workbook.ts';
import type {
  Argument,
  Block,
  CellValue,
  ChangeType,
  HostOptions,
  HostRequest,
  Journal,
  Settings,
  SheetData,
  UiAnswer,
  Workbook,
} from '../../../addon/dev/host/types.ts';
import type { Approval, Method, Payload, Progress, Reply } from '../../../addon/server/api/index.ts';
import type { MethodResult } from '../../../addon/server/index.ts';
import { connectionProperty } from '../../../shared/connection.ts';
import { TestGateway } from '../gateway.ts';
import type { Grid } from '../grid.ts';
import { callSidebar, callSidebarOk, openSpreadsheet, realFetch } from '../spreadsheet.ts';
import { editSheet } from './state.ts';

/** The default gateway of sidebars, reset before each test: test/addon/setup.ts. */
export const gateway = new TestGateway();

/** A sidebar and its spreadsheet. */
export type Sidebar = Awaited<ReturnType<typeof openSidebar>>;

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
export async function openSidebar(options: SidebarOptions = {}) {
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
  const callOk = <M extends Method>(method: M, payload: Payload<M>): Promise<MethodResult<M>> =>
    callSidebarOk(sheet, method, payload);
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
    /** Calls the public function with raw text. */
    callRaw,
    /** Calls a method like the page. */
    call: <M extends Method>(method: M, payload: Payload<M>): Promise<Reply<MethodResult<M>>> =>
      callSidebar(sheet, method, payload),
    /** Calls a method. @throws if it fails */
    callOk,
    /** Steps a run until it is done, paused or stopped. */
    finishRun,
    /** Resumes a run and finishes it. */
    resumeRun: async (runId: string) => finishRun(await callOk('step', { runId })),
    /** Lists the requests to the gateway, such as `POST lookup`. */
    listCalls: () => sheet.requests.map(formatCall),
    /** Returns the number of calls of Google's services so far. */
    countServiceCalls: () => sheet.host.usage.serviceCalls,
    /** Returns the writes since the last call, in order. */
    takeWrites: () => {
      const writes = journal;
      journal = [];
      return writes;
    },
    getWorkbook: () => book.data,
    getSheet,
    /** Returns a copy of a sheet's values. */
    getValues: (name: string) => getSheet(name).values.map((row) => [...row]),
    getProperties: (): Record<string, string> => ({ ...sheet.host.properties.document }),
    /** Reopens the spreadsheet. @returns the error of each open trigger */
    reopen: async () => (await sheet.host.runOpenTriggers()).map(({ error }) => error),
    /** Edits cells as a person: runs the edit and change triggers. @returns the error of each */
    runEditTriggers: async (range: Block) =>
      (await sheet.host.runEditTriggers(range)).map(({ error }) => error),
    /** Changes the spreadsheet as a person: runs the change triggers. @returns the error of each */
    runChangeTriggers: async (type: ChangeType) =>
      (await sheet.host.runChangeTriggers(type)).map(({ error }) => error),
    /** Lists the installable triggers of all users. */
    listTriggers: () => sheet.host.triggers,
    /** Evaluates a formula in A1 of the first sheet. */
    evaluate: (name: string, ...args: Argument[]) =>
      sheet.host.evaluate(name, args, { sheet: book.data.sheets[0]?.name ?? '', row: 1, column: 1 }),
    /** Changes what Google allows. */
    updateSettings: (settings: Partial<Settings>) => sheet.host.updateSettings(settings),
    /** Chooses a menu item. */
    choose: (functionName: string) => sheet.host.run(functionName),
    /** Changes the workbook manually. */
    edit,
    /** Changes the structure of the workbook manually: developer metadata move with rows and columns. */
    apply: (writes: Journal) => book.apply(writes),
    /** Changes a sheet manually. */
    editSheet: (name: string, change: Parameters<typeof editSheet>[2]) =>
      edit((workbook) => editSheet(workbook, name, change)),
    close: () => sheet.host.close(),
  };
}

/** Opens a spreadsheet whose formulas are calculated. */
export async function openFormulas(
  grid: Grid,
  fetch: HostOptions['fetch'] = gateway.fetch,
  button?: UiAnswer['button'],
) {
  const spreadsheet = await openSpreadsheet({ ...grid.options, fetch }, button);
  return {
    ...spreadsheet,
    call: <M extends Method>(method: M, payload: Payload<M>) => callSidebar(spreadsheet, method, payload),
    callOk: <M extends Method>(method: M, payload: Payload<M>) => callSidebarOk(spreadsheet, method, payload),
    calculate: () => grid.calculate(spreadsheet.host),
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
