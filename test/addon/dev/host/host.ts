// What the host's tests share: hosts for snippets of script, a clock that they turn, and a network that they answer.
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

/** A workbook with one filled sheet and one empty one. */
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

/** Makes a host for a script; no network unless told. */
export function hostOf(code: string, options: Partial<HostOptions> = {}): Host {
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

/** Evaluates `=F(…)`, whose body is `body`; gives the cells that it fills, or throws what its tooltip says. */
export async function cells(
  body: string,
  options: Partial<HostOptions> = {},
  args: readonly Argument[] = [],
): Promise<readonly (readonly CellValue[])[]> {
  const host = hostOf(`function F(a, b, c) {${body}}`, options);
  const result = await host.evaluate('F', args, CELL);
  if ('error' in result) throw new Error(result.error);
  return result.values;
}

/** As `cells`, for a formula that fills one cell. */
export async function cell(
  body: string,
  options: Partial<HostOptions> = {},
  args: readonly Argument[] = [],
): Promise<CellValue | undefined> {
  return (await cells(body, options, args))[0]?.[0];
}

/** Runs a function with this body as someone's click on a menu. */
export function click(body: string, options: Partial<HostOptions> = {}): Promise<unknown> {
  return hostOf(`function go() {${body}}`, options).run('go');
}

/** Names for the active sheet and its spreadsheet, for bodies of script. */
export const SHEET =
  'const sheet = SpreadsheetApp.getActiveSheet(); const book = SpreadsheetApp.getActive();';

/** Runs a body; gives what it returned, the writes it made, and the workbook after. */
export async function ran(body: string, workbook: Workbook = WORKBOOK) {
  const writes: Journal[number][] = [];
  const host = hostOf(`function go() { ${SHEET} ${body} }`, {
    workbook,
    onWrites: (journal) => {
      for (const write of journal) writes.push(write);
    },
  });
  const value = await host.run('go');
  return { value, writes, book: host.workbook, sheet: host.workbook.sheets[0] };
}

/** A workbook of one sheet of 6 × 3 cells. */
export function small(sheet: Partial<SheetData> = {}): Workbook {
  return {
    id: 'b',
    name: 'B',
    sheets: [{ id: 1, name: 'S', values: [], maxRows: 6, maxColumns: 3, ...sheet }],
  };
}

/** A clock for a host: time passes only when a test says so. */
export class Clock {
  time = Date.UTC(2026, 0, 15, 12);
  readonly #timers = new Set<{ at: number; ms: number; run: () => void }>();
  #watchers: { ms: number; seen: () => void }[] = [];

  readonly now = (): number => this.time;

  readonly setTimer = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.time + ms, ms, run };
    this.#timers.add(timer);
    for (const watcher of this.#watchers) if (watcher.ms === ms) watcher.seen();
    return () => void this.#timers.delete(timer);
  };

  /** Resolves when someone waits for this many ms. */
  waitedFor(ms: number): Promise<void> {
    if ([...this.#timers].some((timer) => timer.ms === ms)) return Promise.resolve();
    return new Promise((seen) => {
      this.#watchers.push({ ms, seen });
    });
  }

  /** Lets time pass and everything happen that was due by then. */
  pass(ms: number): void {
    this.time += ms;
    for (const timer of [...this.#timers].sort((one, other) => one.at - other.at)) {
      if (timer.at > this.time || !this.#timers.delete(timer)) continue;
      timer.run();
    }
  }

  get options(): Pick<HostOptions, 'now' | 'setTimer'> {
    return { now: this.now, setTimer: this.setTimer };
  }
}

/** A network that keeps what it was sent and answers each request alike. */
export function network(answer: Partial<HostResponse> & { readonly text?: string } = {}) {
  const requests: HostRequest[] = [];
  const { status = 200, headers = {}, text = 'ok', body = new TextEncoder().encode(text) } = answer;
  const fetch = (request: HostRequest): Promise<HostResponse> => {
    requests.push(request);
    return Promise.resolve({ status, headers, body });
  };
  return { requests, fetch };
}
