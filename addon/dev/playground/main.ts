// Entry point: loads session and add-on, starts the emulated host and opens the spreadsheet.
import {
  companyDomainProperty,
  companyProperty,
  connectionProperty,
  formatConnectionLink,
} from '../../../shared/connection.ts';
import { formatNumber } from '../../../shared/lib/format-count.ts';
import { Host } from '../host/host.ts';
import { limitConcurrency } from '../host/script-run.ts';
import { startBrowserExecution } from '../host/threads/browser.ts';
import type { HostOptions, Manifest, PropertyStores, UiAnswer, UiRequest } from '../host/types.ts';
import { ActivityTracker, SpendingTracker, showSpending } from './formulas/activity.ts';
import { CustomFunctions } from './formulas/custom-functions.ts';
import { markCells } from './grid/cell-markers.ts';
import {
  type DisplayedValue,
  enterFormulas as enterIntoCells,
  getSelectedRange,
  readCells,
  readFormulas,
  readStyles,
} from './grid/cells.ts';
import { adaptClipboard } from './grid/clipboard.ts';
import { showFilters } from './grid/filter.ts';
import { type Grid, openGrid } from './grid/grid.ts';
import { JournalWriter, waitForCalculation, waitForIdle } from './grid/journal-writer.ts';
import { acceptDecimalCommas, restoreLocale } from './grid/locale.ts';
import { readWorkbook } from './grid/snapshot.ts';
import { language } from './locale.ts';
import { createFetch, readTeamCredits } from './network.ts';
import { showDataMenu } from './page/data-menu.ts';
import { showQuestion, showToast } from './page/dialogs.ts';
import { getElement } from './page/elements.ts';
import { showFileMenu } from './page/file-menu.ts';
import { FirstSteps } from './page/first-steps.ts';
import { showLinks } from './page/links-card.tsx';
import { showMenu } from './page/menu.ts';
import { moveBetweenRegions } from './page/regions.ts';
import { offerSamplesAgain, SampleBar } from './page/sample-bar.ts';
import { explainErrors } from './page/status-line.ts';
import { openSession, type Session, signInToConsole } from './session.ts';
import { type CallScript, openSidebar } from './sidebar/sidebar.ts';
import { Autosave } from './workbook/autosave.ts';
import { BULK_SHEET, HEADING_ROW } from './workbook/example-order.ts';
import { buildFormulaSheet, type FormulaSheet } from './workbook/formula-sheet.ts';
import { mergeProperties, restoreContent, selectResults } from './workbook/restore.ts';
import { listSamples } from './workbook/samples.ts';
import { buildWorkbook, listNewWebsites } from './workbook/workbook.ts';
import { DAMAGED, identifyRecords, type LoadedWorkbook, loadWorkbook } from './workbook/workbook-store.ts';

declare global {
  interface Window {
    /** Test access to cells and selection: the grid is a canvas, which tests cannot read. */
    cdapiPlayground?: {
      read(sheet: string, range: string): DisplayedValue[][];
      readFormulas(sheet: string, range: string): string[][];
      enter(sheet: string, range: string, formulas: string[][]): void;
      readStyles(sheet: string, range: string): Record<string, string>[][];
      selected(): string;
    };
  }
}

/** The playground has no sign-in: one user owns and views the spreadsheet. */
const USER = 'you@playground.example';
/** Prepares the workbook with a separate active cell and undo history. */
const PREPARER = 'ready@playground.example';
const PREPARED_AT = { sheetId: BULK_SHEET.id, row: HEADING_ROW, column: 0 } as const;

/** The host refuses more than 30 executions, as Google does. */
const MAX_CONCURRENT_FORMULAS = 10;

async function start(): Promise<void> {
  const [session, addon] = await Promise.all([openSession(), loadAddon()]);
  const connectedSession = 'problem' in session ? undefined : session;
  if ('problem' in session) showNotice(session.problem);
  else if (addon === undefined) showNotice('The add-on is not built. Run npm run build, then reload.');
  else if (!crossOriginIsolated)
    showNotice('Formulas need shared memory. Open the address that npm start prints.');
  if (connectedSession !== undefined) {
    showIntroduction(connectedSession);
    showConsoleButton();
  }

  const isRunnable = addon !== undefined && crossOriginIsolated;
  const workbookSession = isRunnable ? connectedSession : undefined;
  // Before the grid takes its size.
  const steps =
    workbookSession === undefined
      ? undefined
      : new FirstSteps(getElement('steps'), listNewWebsites(workbookSession).length > 0);
  const formulas = buildFormulaSheet(workbookSession);
  const loaded = workbookSession === undefined ? {} : await loadWorkbook(workbookSession);
  const { grid, ...opened } = openWorkbook(loaded, () => buildWorkbook(workbookSession, formulas));
  if (opened.problem !== undefined) showSaveState(opened.problem, true);
  // In the same turn as the workbook: otherwise Univer computes formulas before their functions are registered.
  const autosave = isRunnable
    ? startAddon(grid, addon, connectedSession, formulas, opened, steps)
    : undefined;
  steps?.watchGrid(grid);
  showFileMenu(grid, getElement('open-file'), getElement('file'), {
    discard: async () => {
      offerSamplesAgain();
      await autosave?.discard();
    },
    save: autosave && (() => autosave.save()),
  });
  markCells(grid);
  showDataMenu(grid, getElement('open-data'), getElement('data'));
  showFilters(grid);
  adaptClipboard(grid);
  acceptDecimalCommas(grid);
  showLinks(grid);
  explainErrors(grid, getElement('status'));
  window.cdapiPlayground = {
    read: (sheet, range) => readCells(grid, sheet, range),
    readFormulas: (sheet, range) => readFormulas(grid, sheet, range),
    enter: (sheet, range, formulas) => enterIntoCells(grid, sheet, range, formulas),
    readStyles: (sheet, range) => readStyles(grid, sheet, range),
    selected: () => getSelectedRange(grid),
  };
}

/** Opens the saved workbook, or the initial one if there is none or the grid rejects it. */
function openWorkbook(
  loaded: LoadedWorkbook,
  buildInitial: () => ReturnType<typeof buildWorkbook>,
): LoadedWorkbook & { grid: Grid } {
  const container = getElement('grid');
  if (loaded.saved === undefined) return { ...loaded, grid: openGrid(container, buildInitial()) };
  try {
    restoreLocale(loaded.saved.content);
    return { ...loaded, grid: openGrid(container, restoreContent(loaded.saved)) };
  } catch {
    container.replaceChildren();
    const { saved: _damaged, ...rest } = loaded;
    return { ...rest, problem: DAMAGED, grid: openGrid(container, buildInitial()) };
  }
}

/** Shows in the status line whether the workbook is saved. */
function showSaveState(sentence: string, isFailure: boolean): void {
  const line = getElement('saved');
  if (isFailure) line.setAttribute('role', 'alert');
  else line.removeAttribute('role');
  line.textContent = sentence;
}

/** Opens the admin console in another tab. */
function showConsoleButton(): void {
  const button = getElement('open-console');
  button.hidden = false;
  button.addEventListener('click', async () => {
    if (await signInToConsole()) window.open('/console', 'cdapi-console');
    else showNotice('The admin console can’t be opened: the gateway doesn’t answer. Run npm start again.');
  });
}

function startAddon(
  grid: Grid,
  addon: Addon,
  session: Session | undefined,
  formulas: FormulaSheet,
  { store, saved }: LoadedWorkbook,
  steps: FirstSteps | undefined,
): Autosave | undefined {
  const readCredits = async () => session && readTeamCredits(session);
  const activity = new ActivityTracker({
    readCredits,
    show: ({ line, details }) => {
      getElement('activity').textContent = line;
      getElement('activity').title = details;
    },
  });
  const writer = new JournalWriter(grid);
  const spending = new SpendingTracker(showSpending(grid, formulas));
  const records = session === undefined ? '' : identifyRecords(session);
  const host = new Host({
    ...addon,
    fetch: createFetch((call) => {
      activity.addCall(call);
      spending.addCall(call);
    }),
    startExecution: () => startBrowserExecution(new URL('thread.js', document.baseURI)),
    workbook: (viewer) => readWorkbook(grid, viewer === PREPARER ? PREPARED_AT : undefined),
    onWrites: async (journal) => {
      await waitForIdle(grid);
      const write = (): void => void writer.apply(journal);
      if (steps === undefined) write();
      else steps.ignoreWrites(write);
      await waitForCalculation(grid, journal);
    },
    onUi: (request) => handleUiRequest(request, showSidebar),
    people: { owner: USER, viewer: USER },
    language,
    properties: mergeProperties(
      session === undefined ? { document: {} } : buildProperties(session),
      saved?.properties,
    ),
    ...(saved?.records === records && { caches: saved.caches }),
  });
  const limit = limitConcurrency(MAX_CONCURRENT_FORMULAS);
  const evaluate = activity.watch(spending.watch((...call) => limit(() => host.evaluate(...call))));
  const functions = new CustomFunctions(grid, host.functions, evaluate, selectResults(saved, records));
  const autosave =
    store &&
    new Autosave(grid, {
      store,
      records,
      isRestored: saved !== undefined,
      host,
      readResults: () => functions.cachedResults,
      showState: showSaveState,
    });
  const prepare = (request: string) => host.run('cdapiSidebar', [request], 'menu', { user: PREPARER });
  const samples = listSamples(grid, session, formulas, prepare, () => void activity.readCredits());
  new SampleBar(grid, getElement('offer'), samples, readCredits);
  const call: CallScript = (name, args) => host.call(name, args).finally(() => autosave?.checkProperties());
  const watched = steps === undefined ? call : steps.watchCalls(call);
  const moveFocus = moveBetweenRegions(grid);
  const showSidebar = openSidebar(getElement('sidebar'), getElement('open-sidebar'), watched, moveFocus);
  void createMenu(host);
  return autosave;
}

/** Runs onOpen, which creates the add-on's menu. */
async function createMenu(host: Host): Promise<void> {
  await host.run('onOpen', [{}], 'open');
  showMenu(getElement('open-menu'), getElement('menu'), host.menus, (name) => {
    host.run(name).catch((error: unknown) => {
      const prompt = error instanceof Error ? error.message : String(error);
      return showQuestion({ kind: 'alert', title: 'The script failed', prompt, buttons: 'OK' });
    });
  });
}

/** Handles a script's UI request; only questions have an answer. */
function handleUiRequest(request: UiRequest, showSidebar: () => void): Promise<UiAnswer> | undefined {
  if (request.kind === 'alert' || request.kind === 'prompt') return showQuestion(request);
  if (request.kind === 'toast') showToast(getElement('toast'), request);
  if (request.kind === 'sidebar') showSidebar();
  return undefined;
}

/** Connects the spreadsheet. `?connection=company` connects it through the company, `?connection=none` not at all. */
function buildProperties({ url, team_token: token }: Session): PropertyStores {
  const source = new URLSearchParams(location.search).get('connection');
  if (source === 'none') return { document: {} };
  if (source === 'company')
    return {
      document: {},
      script: { [companyProperty]: formatConnectionLink({ url, token }), [companyDomainProperty]: '*' },
    };
  return { document: { [connectionProperty]: JSON.stringify({ url, token }) } };
}

type Addon = Required<Pick<HostOptions, 'code' | 'files'>> & { manifest: Manifest };

/** HTML files by the names that the script uses. */
const HTML_FILES = ['Later', 'Sidebar', 'SidebarTabs', 'German'] as const;

async function loadAddon(): Promise<Addon | undefined> {
  try {
    const [code, manifest, ...files] = await Promise.all(
      ['Code.js', 'appsscript.json', ...HTML_FILES].map((name) => fetch(`addon/${name}`)),
    );
    if (!code?.ok || !manifest?.ok || files.some(({ ok }) => !ok)) return undefined;
    const texts = await Promise.all(files.map((file) => file.text()));
    return {
      code: await code.text(),
      manifest: await manifest.json(),
      files: Object.fromEntries(HTML_FILES.map((name, at) => [name, texts[at] ?? ''])),
    };
  } catch {
    return undefined;
  }
}

function showIntroduction({ sandbox, records }: Session): void {
  getElement('about-sandbox').hidden = !sandbox;
  getElement('about-connected').hidden = sandbox;
  const loaded = `${formatNumber(records)} companies; the samples are fictional.`;
  getElement('records').textContent = records > 0 ? loaded : 'No companies are loaded.';
}

function showNotice(sentence: string): void {
  const notice = getElement('notice');
  notice.textContent = sentence;
  notice.hidden = false;
}

void start();
