// Test helpers for the emulated host: hosts for script snippets, a manual clock and a fake network.
import { Host } from '../../../../addon/dev/host/host.ts';
import { startNodeExecution } from '../../../../addon/dev/host/node/start.ts';
import type {
  Argument,
  CellValue,
  HostOptions,
  HostRequest,
  HostResponse,
  Journal,
  SheetData,
  Workbook,
} from '../../../../addon/dev/host/types.ts';

export const OWNER = 'owner@example.com';
export const VIEWER = 'viewer@example.com';
export const CELL = { sheet: 'Sheet1', row: 2, column: 3 };

/** A workbook with a filled and an empty sheet. */
export const WORKBOOK: Workbook = {
  id: 'book',
  name: 'Prospects',
  locale: 'en_GB',
  timeZone: 'Europe/Berlin',
  sheets: [
    {
      id: 11,
      name: 'Sheet1',
      values: [
        ['website', 'staff'],
        ['a.example', 12],
        ['', true],
      ],
      formulas: [[], ['', '=LEN(A2)']],
    },
    { id: 12, name: 'Other', values: [], maxRows: 20, maxColumns: 5 },
  ],
};

/** Creates a host for a script, without network by default. */
export function createHost(code: string, options: Partial<HostOptions> = {}): Host {
  return new Host({
    code,
    manifest: {},
    fetch: () => Promise.reject(new Error('no network in this test')),
    startExecution: startNodeExecution,
    people: { owner: OWNER, viewer: VIEWER },
    workbook: WORKBOOK,
    ...options,
  });
}

/** Evaluates a custom function with this body; returns its cells or throws its error. */
export async function evaluateCells(
  body: string,
  options: Partial<HostOptions> = {},
  args: readonly Argument[] = [],
): Promise<readonly (readonly CellValue[])[]> {
  const host = createHost(`function F(a, b, c) {${body}}`, options);
  const result = await host.evaluate('F', args, CELL);
  if ('error' in result) throw new Error(result.error);
  return result.values;
}

/** Like `evaluateCells`, for a single cell. */
export async function evaluateCell(
  body: string,
  options: Partial<HostOptions> = {},
  args: readonly Argument[] = [],
): Promise<CellValue | undefined> {
  return (await evaluateCells(body, options, args))[0]?.[0];
}

/** Runs a function body as a menu click. */
export function runAsMenu(body: string, options: Partial<HostOptions> = {}): Promise<unknown> {
  return createHost(`function go() {${body}}`, options).run('go');
}

/** Declares `sheet` and `book` in a script. */
export const SHEET =
  'const sheet = SpreadsheetApp.getActiveSheet(); const book = SpreadsheetApp.getActiveSpreadsheet();';

/** Runs a function body; returns its value, its writes and the resulting workbook. */
export async function runAndRecord(body: string, workbook: Workbook = WORKBOOK) {
  const writes: Journal[number][] = [];
  const host = createHost(`function go() { ${SHEET} ${body} }`, {
    workbook,
    onWrites: (journal) => {
      for (const write of journal) writes.push(write);
    },
  });
  const value = await host.run('go');
  return { value, writes, book: host.workbook, sheet: host.workbook.sheets[0] };
}

/** Creates a workbook with one sheet of 6 × 3 cells. */
export function createSmallWorkbook(sheet: Partial<SheetData> = {}): Workbook {
  return {
    id: 'b',
    name: 'B',
    sheets: [{ id: 1, name: 'S', values: [], maxRows: 6, maxColumns: 3, ...sheet }],
  };
}

/** A clock that advances only on request. */
export class Clock {
  time = Date.UTC(2026, 0, 15, 12);
  readonly #timers = new Set<{ at: number; ms: number; run: () => void }>();
  #watchers: { ms: number; onTimer: () => void }[] = [];

  readonly now = (): number => this.time;

  readonly setTimer = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.time + ms, ms, run };
    this.#timers.add(timer);
    for (const watcher of this.#watchers) if (watcher.ms === ms) watcher.onTimer();
    return () => void this.#timers.delete(timer);
  };

  /** Resolves when a timer of this length is set. */
  waitForTimer(ms: number): Promise<void> {
    if ([...this.#timers].some((timer) => timer.ms === ms)) return Promise.resolve();
    return new Promise((onTimer) => {
      this.#watchers.push({ ms, onTimer });
    });
  }

  /** Advances the time and runs due timers. */
  advance(ms: number): void {
    this.time += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      if (timer.at > this.time || !this.#timers.delete(timer)) continue;
      timer.run();
    }
  }

  get options(): Pick<HostOptions, 'now' | 'setTimer'> {
    return { now: this.now, setTimer: this.setTimer };
  }
}

/** A network that records requests and returns the same response to each. */
export function createNetwork(answer: Partial<HostResponse> & { readonly text?: string } = {}) {
  const requests: HostRequest[] = [];
  const { status = 200, headers = {}, text = 'ok', body = new TextEncoder().encode(text) } = answer;
  const fetch = (request: HostRequest): Promise<HostResponse> => {
    requests.push(request);
    return Promise.resolve({ status, headers, body });
  };
  return { requests, fetch };
}
