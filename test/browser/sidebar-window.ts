// Windows in which Chromium shows the sidebar's page: one after the other shows it anew, since a window takes long to make.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { addonDist } from '../../worker/commands/paths.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ADDRESS = 'https://sidebar.example/';
const GATEWAY = 'https://gateway.example/';
/** As wide as Sheets makes it. */
const SIZE = { width: 300, height: 640 };

/** What Google puts into the page: each setter gives a runner of its own, answers come later, failures as errors. */
const GOOGLE = `
  const runner = (success, failure) => ({
    withSuccessHandler: (handler) => runner(handler, failure),
    withFailureHandler: (handler) => runner(success, handler),
    cdapiSidebar: (call) => {
      window.answerOfTest(call).then(
        (answer) => success?.(answer),
        (error) => failure?.(Object.assign(new Error(error.message), { name: 'ScriptError' })),
      );
    },
  });
  window.google = { script: { run: runner() } };
`;

/** Who is behind the page while a window shows it. */
export interface Behind {
  /** Answers a call of the script, JSON for JSON. */
  answer: (json: string) => Promise<string | null>;
  /** Server-sent events of the gateway, by the path of their address; `undefined` is an answer without any. */
  events: (path: string) => string | undefined;
  /** Told of console errors, exceptions, and whatever the page tried to load. */
  fault: (what: string) => void;
}

export interface WindowOptions {
  /** What Date says. */
  now?: Date;
  /** Timers wait for `page.clock`. */
  stopped?: true;
}

/** Starts a browser for several sidebars. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--font-render-hinting=none',
      '--disable-lcd-text',
    ],
  });
}

/** A browser's windows that nobody looks into. */
const idle = new WeakMap<Browser, SidebarWindow[]>();

function idleOf(browser: Browser): SidebarWindow[] {
  const own = idle.get(browser) ?? [];
  idle.set(browser, own);
  return own;
}

/** A window with the page in it. */
export class SidebarWindow {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #context: BrowserContext;
  readonly #now: number | undefined;
  readonly #stopped: boolean;
  #behind: Behind | undefined;

  private constructor(browser: Browser, context: BrowserContext, page: Page, options: WindowOptions) {
    this.page = page;
    this.#browser = browser;
    this.#context = context;
    this.#now = options.now?.getTime();
    this.#stopped = options.stopped === true;
    const fault = (what: string): void => this.#behind?.fault(what);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') fault(message.text());
    });
    page.on('pageerror', (error) => fault(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (url !== ADDRESS && !url.startsWith(GATEWAY)) fault(`loaded ${url}`);
    });
    page.on('dialog', (dialog) => fault(`dialog ${dialog.message()}`));
  }

  static async #make(browser: Browser, options: WindowOptions): Promise<SidebarWindow> {
    const { now, stopped } = options;
    const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const made = new SidebarWindow(browser, context, page, options);
    if (stopped) await page.clock.install(now === undefined ? {} : { time: now });
    else if (now !== undefined) await page.clock.setFixedTime(now);
    await page.exposeFunction('answerOfTest', async (json: string) => made.#behind?.answer(json));
    await page.addInitScript(GOOGLE);
    const html = await readFile(join(addonDist, 'Sidebar.html'), 'utf8');
    await page.route(ADDRESS, (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }),
    );
    await page.route(`${GATEWAY}**`, (route) => {
      const body = made.#behind?.events(new URL(route.request().url()).pathname);
      return route.fulfill({
        contentType: body === undefined ? 'text/plain' : 'text/event-stream',
        headers: { 'access-control-allow-origin': '*' },
        body: body ?? '',
      });
    });
    return made;
  }

  /** Shows the built page, a new document in any case. */
  static async open(browser: Browser, behind: Behind, options: WindowOptions = {}): Promise<SidebarWindow> {
    const free = idleOf(browser);
    const at = options.stopped ? -1 : free.findIndex((one) => one.#now === options.now?.getTime());
    const [found] = at < 0 ? [] : free.splice(at, 1);
    const shown = found ?? (await SidebarWindow.#make(browser, options));
    shown.#behind = behind;
    await shown.page.goto(ADDRESS);
    return shown;
  }

  /**
   * Ends the page: nothing of it is heard any more.
   * @param again - whether the window may show the next one
   */
  async close(again: boolean): Promise<void> {
    // A clock that was stopped has gone on from there: the next page would begin late.
    if (this.#stopped || !again) {
      await this.#context.close();
      return;
    }
    await this.page.goto('about:blank');
    this.#behind = undefined;
    // The next page is not pointed at.
    await this.page.mouse.move(-1, -1);
    await this.page.emulateMedia({ colorScheme: 'light' });
    idleOf(this.#browser).push(this);
  }
}
