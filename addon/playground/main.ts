// The page: asks the instance for its session, starts the emulated host with the built add-on, opens the spreadsheet.
import { connectionProperty } from '../../shared/connection.ts';
import { startBrowserExecution } from '../host/browser.ts';
import { Host } from '../host/kernel.ts';
import type { Manifest } from '../host/types.ts';
import { Activity } from './activity.ts';
import { readCells } from './cells.ts';
import { Formulas } from './formulas.ts';
import { type Grid, openGrid } from './grid.ts';
import { pageFetch } from './network.ts';
import { atMost } from './queue.ts';
import { openSession, type Session } from './session.ts';
import { snapshot } from './snapshot.ts';
import { explainErrors } from './status.ts';
import { readyWorkbook } from './workbook.ts';

declare global {
  interface Window {
    /** Reads what cells show. The grid is drawn on a canvas, so a browser test has no other way to see it. */
    cdapiPlayground?: { read(sheet: string, range: string): (string | number | boolean | null)[][] };
  }
}

/** Nobody signs in to the playground: one person owns the spreadsheet and looks at it. */
const PERSON = 'you@playground.example';

/** Each runs in a thread of its own; the host refuses more than 30, as Google does. */
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
  const grid = openGrid(element('grid'), readyWorkbook(runnable ? connected : undefined));
  // In the same turn as the workbook, or its formulas would be computed before their functions are known.
  if (runnable) runFormulas(grid, addon, connected);
  explainErrors(grid, element('status'));
  // The formula bar then shows the example, if there is one.
  const example = grid.workbook.getActiveSheet().getCellRaw(1, 1)?.f !== undefined;
  if (example) grid.api.getActiveWorkbook()?.getActiveSheet().getRange('B2').activate();
  window.cdapiPlayground = { read: (sheet, range) => readCells(grid, sheet, range) };
}

function runFormulas(grid: Grid, addon: Addon, session: Session | undefined): void {
  const activity = new Activity((line) => {
    element('activity').textContent = line;
  });
  const host = new Host({
    ...addon,
    fetch: pageFetch((call) => activity.called(call)),
    startExecution: () => startBrowserExecution(new URL('thread.js', document.baseURI)),
    workbook: () => snapshot(grid),
    people: { owner: PERSON, viewer: PERSON },
    properties: { document: session === undefined ? {} : { [connectionProperty]: connection(session) } },
  });
  new Formulas(grid, host.functions, {
    evaluate: activity.watch(atMost(FORMULAS_AT_ONCE, (...call) => host.evaluate(...call))),
    forget: (name, args) => host.forget(name, args),
  });
}

/** The connection as the add-on keeps it after Connect. */
function connection({ url, team_token }: Session): string {
  return JSON.stringify({ url, token: team_token });
}

interface Addon {
  code: string;
  manifest: Manifest;
}

async function loadAddon(): Promise<Addon | undefined> {
  try {
    const [code, manifest] = await Promise.all([fetch('addon/Code.js'), fetch('addon/appsscript.json')]);
    return code.ok && manifest.ok ? { code: await code.text(), manifest: await manifest.json() } : undefined;
  } catch {
    return undefined;
  }
}

function introduce({ embedded, records }: Session): void {
  element('about-embedded').hidden = !embedded;
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
