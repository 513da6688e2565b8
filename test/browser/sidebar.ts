// Page object of the sidebar: the built page in Chromium, served by the built add-on in the emulated host.
//
// `setUpSidebars()` returns `open`, which opens the page at the time NOW on a spreadsheet connected to the in-memory gateway.
// A test gets its state from the first of these that can produce it:
// 1. The spreadsheet: `open({ workbook })`, by default `sampleWorkbook`; later `server.editSheet` and `server.edit`. The tab:
//    `open({ tab: 'search' })`. Options of the host, such as `properties`, are options here, too.
// 2. Earlier actions: `open({ before: (server) => runSearch(server) })`, with the helpers of test/addon/server/orders.ts. Or
//    `open({ server })` with a spreadsheet that another helper has opened, such as `openMatching`.
// 3. The gateway, before or while the page is open: `budget`, `account`, `lists`, `answer`, `refuse` and `now` of `gateway`.
// 4. Only for what no server produces at will: `open({ changes: { step: (value) => … } })`. A change gets the real result of a
//    method and changes it (spread it, so that its shape stays real), delays it, loses it (null, `never`) or refuses it
//    (`Refused`). `sidebar.changes` can change while the page is open.
// Changes of the sheet and the gateway race with calls in flight: wait for what the page shows, or for `sidebar.settle()`.
// Tests check the page, `sidebar.sent(method)`, and the cells: `sidebar.server.getValues('Companies')`.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import type { Workbook } from '../../addon/dev/host/types.ts';
import type { Failure, Method, MethodCall, Payload, Reply, Tab } from '../../addon/server/api/index.ts';
import type { MethodResult } from '../../addon/server/index.ts';
import { type Family, familyLabels } from '../../shared/families/registry.ts';
import {
  createWorkbook,
  gateway,
  openSidebar,
  type Sidebar as Server,
  type SidebarOptions as ServerOptions,
} from '../addon/server/sidebar.ts';
import { eventually, matchSpaces, shareBrowser } from './browser.ts';
import { type PageBackend, SidebarWindow, type WindowOptions } from './sidebar-window.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The time of pages, spreadsheets and the gateway. */
export const NOW = new Date('2026-11-22T12:00:00Z');

/** A refusal instead of a result. */
export class Refused {
  readonly message: string;
  readonly code: Failure['code'];
  readonly replaced: Failure['replaced'];

  constructor(message: string, code?: Failure['code'], replaced?: Failure['replaced']) {
    this.message = message;
    this.code = code;
    this.replaced = replaced;
  }
}

/** A promise that never settles. */
export const never = (): Promise<never> => new Promise(() => {});

/** Holds results: `changes: { step: held.hold }`. `release` lets those go that have arrived; later ones are held again. */
export function holdResults(): { hold: <T>(value: T) => Promise<T>; release: () => void } {
  let gate = Promise.withResolvers<void>();
  return {
    hold: async (value) => {
      await gate.promise;
      return value;
    },
    release: () => {
      gate.resolve();
      gate = Promise.withResolvers();
    },
  };
}

/** A changed result; null: Google loses the reply. */
type Changed<T> = T | Refused | null;

/** Changes of results, by method. Refusals of the server reach the page unchanged. */
export type Changes = {
  [M in Method]?: (
    value: MethodResult<M>,
    payload: Payload<M>,
  ) => Changed<MethodResult<M>> | Promise<Changed<MethodResult<M>>>;
};

export interface PageOptions extends WindowOptions {
  events?: PageBackend['events'];
}

export interface SidebarOptions extends PageOptions, Omit<ServerOptions, 'now'> {
  /** The open tab; default: that of a new spreadsheet. */
  tab?: Tab;
  /** Brings the spreadsheet into its state before the page opens. */
  before?: (server: Server) => Promise<unknown>;
  /** An open spreadsheet, instead of one with these options. */
  server?: Server;
  changes?: Changes;
}

/** A sidebar with its spreadsheet. */
export type ServedSidebar = Sidebar & {
  readonly server: Server;
  readonly changes: Changes;
  /** Waits until the server has answered all calls, as before a change that they must not see. */
  settle: () => Promise<unknown>;
};

const companies = createWorkbook(
  [
    ['Website', 'Sector'],
    ...Array.from({ length: 12 }, (_, at) => [`company-${at + 1}.example`, at < 4 ? 'Tools' : '']),
    // They name companies above.
    ['www.company-1.example', ''],
    ['https://company-2.example/about', ''],
  ],
  { name: 'Companies' },
);

/** Two lists: 14 websites of 12 companies, four of them with a sector, and the profiles of three people. */
export const sampleWorkbook: Workbook = {
  ...companies,
  sheets: [
    ...companies.sheets,
    {
      id: 2,
      name: 'People',
      values: [
        ['Name', 'Profile'],
        ...['Ann', 'Bea', 'Cem'].map((name) => [
          name,
          `https://www.professional-network.example/in/${name.toLowerCase()}`,
        ]),
      ],
    },
  ],
};

async function changeReply(
  changes: Changes,
  { method, payload }: MethodCall,
  reply: Reply<unknown>,
): Promise<string | null> {
  // The server has made the value for this method and payload.
  const change: ((value: never, payload: never) => unknown) | undefined = changes[method];
  if (change === undefined || !reply.ok) return JSON.stringify(reply);
  const value = await change(reply.value as never, payload as never);
  if (value === null) return null;
  return JSON.stringify(value instanceof Refused ? { ok: false, ...value } : { ok: true, value });
}

/** An open sidebar. */
export class Sidebar {
  readonly page: Page;
  /** Console errors, exceptions, and requests. */
  readonly faults: string[];
  /** Calls of the script in order. */
  readonly calls: MethodCall[];
  readonly #window: SidebarWindow;
  #hasAxe = false;

  private constructor(window: SidebarWindow, { calls, faults }: Pick<Sidebar, 'calls' | 'faults'>) {
    this.#window = window;
    this.page = window.page;
    this.calls = calls;
    this.faults = faults;
  }

  /** @param answer - returns the text of a call's reply; null: it is lost */
  static async open(
    browser: Browser,
    answer: (call: MethodCall) => Promise<string | null>,
    { events = () => undefined, ...options }: PageOptions,
  ): Promise<Sidebar> {
    const calls: MethodCall[] = [];
    const faults: string[] = [];
    const backend: PageBackend = {
      answer: (json) => {
        const call: MethodCall = JSON.parse(json);
        // Each page loads its second script; it is no call that a test is about.
        if (call.method !== 'laterTabs') calls.push(call);
        return answer(call);
      },
      events,
      onFault: (fault) => void faults.push(fault),
    };
    return new Sidebar(await SidebarWindow.open(browser, backend, options), { calls, faults });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name: matchSpaces(name) });
  }

  field(name: string): Locator {
    return this.page.getByRole('textbox', { name, exact: true });
  }

  tab(name: string): Locator {
    return this.page.getByRole('tab', { name });
  }

  /** Chooses the records to find: their subject, then the data set. */
  async chooseFamily(family: Family): Promise<void> {
    await this.page.getByLabel('Find').selectOption(familyLabels[family].group);
    const more = this.page.locator('.panel:not([hidden]) details').filter({ hasText: 'Data set' });
    await more.locator('summary').click();
    await more.getByLabel('Data set').selectOption(family);
    await more.locator('summary').click();
  }

  /** Waits for a visible text. */
  shows(text: string | RegExp): Promise<void> {
    return this.page.getByText(matchSpaces(text)).filter({ visible: true }).first().waitFor();
  }

  /** Polls the price beside the main button of the open tab. */
  price(): ReturnType<typeof expect.poll> {
    return eventually(() => this.page.locator('.panel:not([hidden]) .price [role="status"]').textContent());
  }

  /** Polls a page that is `stopped`, while its time passes in steps. @param stepMs - of its time */
  whileTimePasses(read: () => unknown, stepMs = 100): ReturnType<typeof expect.poll> {
    return eventually(async () => {
      await this.page.clock.runFor(stepMs);
      return read();
    });
  }

  /** Presses a button of the confirmation dialog. */
  confirm(name: string): Promise<void> {
    return this.page.getByRole('alertdialog').getByRole('button', { name }).click();
  }

  /** Returns the payloads of a method's calls. */
  sent<M extends Method>(method: M): Payload<M>[] {
    return this.calls.filter((call) => call.method === method).map((call) => call.payload as Payload<M>);
  }

  /**
   * Returns serious and critical accessibility findings of axe.
   * @param options - of `axe.run`
   */
  async findings(options: object = {}): Promise<string[]> {
    if (!this.#hasAxe) await this.page.evaluate(await readFile(AXE, 'utf8'));
    this.#hasAxe = true;
    return this.page.evaluate<
      string[]
    >(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary)))`);
  }

  /** Returns the overflow in pixels: the horizontal one, and the vertical one of a panel, which must not scroll. */
  overflow(): Promise<number> {
    return this.page.evaluate<number>(`Math.max(...[...document.querySelectorAll('body, .content, .dock')]
      .filter((box) => box.clientWidth > 0).map((box) => box.scrollWidth - box.clientWidth),
      ...[...document.querySelectorAll('.panel')].map((panel) => panel.scrollHeight - panel.clientHeight))`);
  }

  /** Sets the theme of the page. */
  async setTheme(theme: 'light' | 'dark'): Promise<void> {
    await this.page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`);
  }

  /** Lists elements whose text is wider than they are. Examples are cut on purpose; collapsible sections are wider than their parents. */
  clipped(): Promise<string[]> {
    return this.page.evaluate<string[]>(`[...document.querySelectorAll('#app *')]
      .filter((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).display !== 'inline')
      .filter((box) => !box.matches('input, select, textarea, progress, .unseen, .cut, :has(> .fold)'))
      .map((box) => box.tagName + ' ' + box.className + ': ' + box.textContent.slice(0, 80))`);
  }

  /** @param reusable - whether the window can show another page; false after a failed test */
  async close(reusable = true): Promise<void> {
    await this.#window.close(reusable);
  }
}

/** Opens a sidebar on its spreadsheet. */
async function openServed(browser: Browser, options: SidebarOptions): Promise<ServedSidebar> {
  const { tab, before, changes = {}, server: opened, events, now = NOW, stopped, ...host } = options;
  const server =
    opened ??
    (await openSidebar({
      workbook: sampleWorkbook,
      now: () => now.getTime(),
      // Enough for an order in time. The page's clock stands still.
      serviceLatencyMs: 1,
      ...host,
    }));
  await before?.(server);
  if (tab !== undefined) await server.callOk('setTab', { tab });
  const pending = new Set<Promise<unknown>>();
  const settle = (): Promise<unknown> => Promise.allSettled(pending);
  // An interrupted call would cost the next test a new thread.
  onTestFinished(async () => void (await settle()));
  const answer = async (call: MethodCall): Promise<string | null> => {
    const reply = server.callRaw(JSON.stringify(call));
    pending.add(reply);
    try {
      return await changeReply(changes, call, (await reply) as Reply<unknown>);
    } finally {
      pending.delete(reply);
    }
  };
  const page = { now, ...(events && { events }), ...(stopped && { stopped }) };
  return Object.assign(await Sidebar.open(browser, answer, page), { server, changes, settle });
}

/** Closes the sidebars of a test after it. @returns checks that they had no faults */
async function closeSidebars(sidebars: Sidebar[], reusable: boolean): Promise<void> {
  const all = sidebars.splice(0);
  for (const sidebar of all) await sidebar.close(reusable);
  expect(all.flatMap(({ faults }) => faults)).toEqual([]);
}

/**
 * Closes sidebars after each test and checks that they had no faults.
 * @param defaults - options of each sidebar
 * @returns opens a sidebar with these options and more
 */
export function setUpSidebars(
  defaults: SidebarOptions = {},
): (options?: SidebarOptions) => Promise<ServedSidebar> {
  let browser: Browser;
  const opened: Sidebar[] = [];
  beforeAll(async () => {
    browser = await shareBrowser();
  });
  beforeEach(() => {
    gateway.now = () => NOW.getTime();
    gateway.spent = 40;
    gateway.budget = 460;
    gateway.account = { team: 'Sales', mode: 'live', budget: { day: 500, month: 10_000 } };
  });
  afterEach(({ task }) => closeSidebars(opened, task.result?.state !== 'fail'));
  return async (options = {}) => {
    const changes = { ...defaults.changes, ...options.changes };
    const sidebar = await openServed(browser, { ...defaults, ...options, changes });
    opened.push(sidebar);
    return sidebar;
  };
}
