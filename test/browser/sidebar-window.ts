// Browser windows with the sidebar's page, reused between tests because creating one is slow.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { addonDist } from '../../worker/commands/paths.ts';

const ADDRESS = 'https://sidebar.example/';
const GATEWAY = 'https://gateway.example/';
/** The width in Google Sheets. */
const SIZE = { width: 300, height: 640 };

/** google.script.run: each setter returns a new runner; handlers run asynchronously. */
const GOOGLE = `
  const runner = (success, failure) => ({
    withSuccessHandler: (handler) => runner(handler, failure),
    withFailureHandler: (handler) => runner(success, handler),
    cdapiSidebar: (call) => {
      window.handleTestCall(location.search, call).then(
        (answer) => success?.(answer),
        (error) => failure?.(Object.assign(new Error(error.message), { name: 'ScriptError' })),
      );
    },
  });
  window.google = { script: { run: runner() } };
`;

/** The backend of a page. */
export interface PageBackend {
  /** Handles a call of the script. */
  answer: (json: string) => Promise<string | null>;
  /** Returns the gateway's server-sent events for a path. */
  events: (path: string) => string | undefined;
  /** Reports console errors, exceptions and requests. */
  onFault: (fault: string) => void;
}

export interface WindowOptions {
  /** The time of Date. */
  now?: Date;
  /** Timers run only with `page.clock`. */
  stopped?: true;
}

/** Idle windows by browser. */
const idle = new WeakMap<Browser, SidebarWindow[]>();

function getIdle(browser: Browser): SidebarWindow[] {
  const windows = idle.get(browser) ?? [];
  idle.set(browser, windows);
  return windows;
}

export class SidebarWindow {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #context: BrowserContext;
  readonly #now: number | undefined;
  readonly #stopped: boolean;
  /** Undefined while the window is idle: faults of a page that is no longer tested do not count. */
  #backend: PageBackend | undefined;
  /** The backend of the page that is loaded next. */
  #next: PageBackend | undefined;
  #pages = 0;

  private constructor(browser: Browser, context: BrowserContext, page: Page, options: WindowOptions) {
    this.page = page;
    this.#browser = browser;
    this.#context = context;
    this.#now = options.now?.getTime();
    this.#stopped = options.stopped === true;
    const report = (fault: string): void => this.#backend?.onFault(fault);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') report(message.text());
    });
    page.on('pageerror', (error) => report(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (url !== this.#address && !url.startsWith(GATEWAY)) report(`loaded ${url}`);
    });
    page.on('dialog', (dialog) => report(`dialog ${dialog.message()}`));
  }

  static async #create(browser: Browser, options: WindowOptions): Promise<SidebarWindow> {
    const { now, stopped } = options;
    const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const window = new SidebarWindow(browser, context, page, options);
    if (stopped) await page.clock.install(now === undefined ? {} : { time: now });
    else if (now !== undefined) await page.clock.setFixedTime(now);
    await page.exposeFunction('handleTestCall', (search: string, json: string) =>
      window.#answer(search, json),
    );
    await page.addInitScript(GOOGLE);
    const html = await readFile(join(addonDist, 'Sidebar.html'), 'utf8');
    await page.route(`${ADDRESS}*`, (route) => {
      window.#backend = window.#next;
      return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
    });
    await page.route(`${GATEWAY}**`, (route) => {
      const body = window.#backend?.events(new URL(route.request().url()).pathname);
      return route.fulfill({
        contentType: body === undefined ? 'text/plain' : 'text/event-stream',
        headers: { 'access-control-allow-origin': '*' },
        body: body ?? '',
      });
    });
    return window;
  }

  /** Opens the built page in an idle or new window. */
  static async open(
    browser: Browser,
    backend: PageBackend,
    options: WindowOptions = {},
  ): Promise<SidebarWindow> {
    const windows = getIdle(browser);
    const at = options.stopped ? -1 : windows.findIndex((window) => window.#now === options.now?.getTime());
    const [reused] = at < 0 ? [] : windows.splice(at, 1);
    const window = reused ?? (await SidebarWindow.#create(browser, options));
    window.#pages += 1;
    window.#next = backend;
    await window.page.goto(window.#address);
    return window;
  }

  get #address(): string {
    return `${ADDRESS}?${this.#pages}`;
  }

  /** Answers a call of the open page, and never one of an earlier page, which is still shown while the next one loads. */
  #answer(search: string, json: string): Promise<string | null> | undefined {
    const isOpen = this.#backend !== undefined && this.#address.endsWith(search);
    return isOpen ? this.#backend?.answer(json) : new Promise(() => {});
  }

  /** @param reusable - whether the window can show another page */
  async close(reusable: boolean): Promise<void> {
    // A manual clock cannot be reset.
    if (this.#stopped || !reusable) {
      await this.#context.close();
      return;
    }
    // The next page replaces this one: an empty page in between would take longer than the next one.
    this.#backend = undefined;
    await this.page.mouse.move(-1, -1);
    await this.page.emulateMedia({ colorScheme: 'light' });
    getIdle(this.#browser).push(this);
  }
}
