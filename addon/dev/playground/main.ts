// Entry point: loads session and add-on, starts the emulated host and opens the spreadsheet.
import { connectionProperty } from '../../../shared/connection.ts';
import { Host } from '../host/host.ts';
import { startBrowserExecution } from '../host/threads/browser.ts';
import type { HostOptions, Manifest, UiAnswer, UiRequest } from '../host/types.ts';
import { Activity } from './formulas/activity.ts';
import { atMost } from './formulas/concurrency-limit.ts';
import { Formulas } from './formulas/custom-functions.ts';
import { Spending } from './formulas/spending.ts';
import { calculated } from './grid/calculation.ts';
import { markCells } from './grid/cell-markers.ts';
import { readCells, readLooks, type Shown, selectedRange } from './grid/cells.ts';
import { type Grid, openGrid } from './grid/grid.ts';
import { JournalWriter } from './grid/journal-writer.ts';
import { snapshot } from './grid/snapshot.ts';
import { pageFetch } from './network.ts';
import { ask, toast } from './page/dialogs.ts';
import { showLinks } from './page/links-card.tsx';
import { showMenu } from './page/menu.ts';
import { explainErrors } from './page/status-line.ts';
import { asksForFree, openSession, type Session } from './session.ts';
import { openSidebar } from './sidebar/sidebar.ts';
import { BULK_SHEET, HEADING_ROW } from './workbook/bulk-sheet.ts';
import { readyBulk } from './workbook/example-order.ts';
import { type FormulaSheet, formulaSheet } from './workbook/formula-sheet.ts';
import { liveFormulas } from './workbook/live-formulas.ts';
import { readyWorkbook } from './workbook/workbook.ts';

declare global {
  interface Window {
    /** Test access to cells and selection: the grid is a canvas, which tests cannot read. */
    cdapiPlayground?: {
      read(sheet: string, range: string): Shown[][];
      looks(sheet: string, range: string): Record<string, string>[][];
      selected(): string;
    };
  }
}

/** The playground has no sign-in: one user owns and views the spreadsheet. */
const PERSON = 'you@playground.example';
/** Prepares the workbook with a separate active cell and undo history. */
const PREPARER = 'ready@playground.example';
const PREPARED_AT = { sheetId: BULK_SHEET.id, row: HEADING_ROW, column: 0 } as const;

/** The host refuses more than 30 executions, as Google does. */
const FORMULAS_AT_ONCE = 10;

async function start(): Promise<void> {
  const [session, addon] = await Promise.all([openSession(), loadAddon()]);
  const connected = 'problem' in session ? undefined : session;
  if ('problem' in session) notify(session.problem);
  else if (addon === undefined) notify('The add-on is not built. Run npm run build, then reload.');
  else if (!crossOriginIsolated)
    notify('Formulas need shared memory. Open the address that npm start prints.');
  if (connected !== undefined) introduce(connected);

  const runnable = addon !== undefined && crossOriginIsolated;
  const usable = runnable ? connected : undefined;
  const formulas = formulaSheet(usable);
  const grid = openGrid(element('grid'), readyWorkbook(usable, formulas));
  // In the same turn as the workbook: otherwise Univer computes formulas before their functions are registered.
  if (runnable) runFormulas(grid, addon, connected, formulas);
  markCells(grid);
  showLinks(grid);
  explainErrors(grid, element('status'));
  // Shows the example in the formula bar, if there is one.
  const example = grid.workbook.getActiveSheet().getCellRaw(1, 1)?.f !== undefined;
  if (example) grid.api.getActiveWorkbook()?.getActiveSheet().getRange('B2').activate();
  window.cdapiPlayground = {
    read: (sheet, range) => readCells(grid, sheet, range),
    looks: (sheet, range) => readLooks(grid, sheet, range),
    selected: () => selectedRange(grid),
  };
}

function runFormulas(grid: Grid, addon: Addon, session: Session | undefined, formulas: FormulaSheet): void {
  const activity = new Activity((line) => {
    element('activity').textContent = line;
  });
  const writer = new JournalWriter(grid);
  const spending = new Spending(liveFormulas(grid, formulas));
  const host = new Host({
    ...addon,
    fetch: pageFetch((call) => {
      activity.called(call);
      spending.called(call);
    }),
    startExecution: () => startBrowserExecution(new URL('thread.js', document.baseURI)),
    workbook: (viewer) => snapshot(grid, viewer === PREPARER ? PREPARED_AT : undefined),
    onWrites: (journal) => {
      writer.apply(journal);
      return calculated(grid, journal);
    },
    onUi: (request) => onUi(request, showSidebar),
    people: { owner: PERSON, viewer: PERSON },
    properties: { document: session === undefined ? {} : { [connectionProperty]: connection(session) } },
  });
  new Formulas(grid, host.functions, {
    evaluate: activity.watch(spending.watch(atMost(FORMULAS_AT_ONCE, (...call) => host.evaluate(...call)))),
    forget: (name, args) => host.clearResults(name, args),
  });
  if (session !== undefined && asksForFree(session)) {
    readyBulk(grid, session, (request) => host.run('cdapiSidebar', [request], 'menu', { user: PREPARER }));
  }
  const showSidebar = openSidebar(element('sidebar'), element('open-sidebar'), (name, args) =>
    host.call(name, args),
  );
  void openMenu(host);
}

/** Runs onOpen, which creates the add-on's menu. */
async function openMenu(host: Host): Promise<void> {
  await host.run('onOpen', [{}], 'open');
  showMenu(element('open-menu'), element('menu'), host.menus, (name) => {
    host.run(name).catch((cause: unknown) => {
      const prompt = cause instanceof Error ? cause.message : String(cause);
      return ask({ kind: 'alert', title: 'The script failed', prompt, buttons: 'OK' });
    });
  });
}

/** Handles a script's UI request; only questions have an answer. */
function onUi(request: UiRequest, showSidebar: () => void): Promise<UiAnswer> | undefined {
  if (request.kind === 'alert' || request.kind === 'prompt') return ask(request);
  if (request.kind === 'toast') toast(element('toast'), request);
  if (request.kind === 'sidebar') showSidebar();
  return undefined;
}

/** The connection in the format that the add-on stores. */
function connection({ url, team_token }: Session): string {
  return JSON.stringify({ url, token: team_token });
}

type Addon = Required<Pick<HostOptions, 'code' | 'files'>> & { manifest: Manifest };

/** HTML files by the names that the script uses. */
const FILES = ['Later', 'Sidebar'] as const;

async function loadAddon(): Promise<Addon | undefined> {
  try {
    const [code, manifest, ...files] = await Promise.all(
      ['Code.js', 'appsscript.json', ...FILES].map((name) => fetch(`addon/${name}`)),
    );
    if (!code?.ok || !manifest?.ok || files.some(({ ok }) => !ok)) return undefined;
    const texts = await Promise.all(files.map((file) => file.text()));
    return {
      code: await code.text(),
      manifest: await manifest.json(),
      files: Object.fromEntries(FILES.map((name, at) => [name, texts[at] ?? ''])),
    };
  } catch {
    return undefined;
  }
}

function introduce({ embedded, records }: Session): void {
  element('about-sandbox').hidden = !embedded;
  element('about-connected').hidden = embedded;
  const loaded = `${records.toLocaleString('en')} companies; the samples are fictional.`;
  element('records').textContent = records > 0 ? loaded : 'No companies are loaded.';
}

function notify(sentence: string): void {
  const notice = element('notice');
  notice.textContent = sentence;
  notice.hidden = false;
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no #${id}.`);
  return found;
}

void start();
