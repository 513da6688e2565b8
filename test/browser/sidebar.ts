// A person in front of the sidebar's page, alone in Chromium, with a script behind google.script.run that the test writes.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Call, Method, Payload, Reply, Value } from '../../addon/server/api.ts';
import { addonDist } from '../../worker/commands/paths.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ADDRESS = 'https://sidebar.example/';
const GATEWAY = 'https://gateway.example/';
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What a method of the script does: gives a value, refuses, or throws as a broken script does. */
export type Answers = {
  [M in Method]?: (payload: Payload<M>) => Value<M> | Refused | Promise<Value<M> | Refused>;
};

/** A refusal in place of a value. */
export class Refused {
  readonly message: string;
  readonly code: Extract<Reply<never>, { ok: false }>['code'];

  constructor(message: string, code?: Refused['code']) {
    this.message = message;
    this.code = code;
  }
}

/** Waits for what a page comes to, as long as a busy machine may take. */
export function eventually(look: () => unknown): ReturnType<typeof expect.poll> {
  return expect.poll(look, { timeout: 15_000, interval: 50 });
}

/** An answer that never comes. */
export const never = (): Promise<never> => new Promise(() => {});

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

export interface SidebarOptions {
  dark?: boolean;
  height?: number;
  /** What Date says. */
  now?: Date;
  /** Timers wait for `page.clock`. */
  stopped?: true;
  /** Server-sent events of the gateway, by the path of their address; `undefined` is an answer without any. */
  events?: (path: string) => string | undefined;
  /** Answers in place of what the script answers, such as null. */
  raw?: (call: Call) => string | null | undefined;
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

/** The page, open. */
export class Sidebar {
  readonly page: Page;
  /** Console errors, exceptions, and whatever the page tried to load. */
  readonly faults: string[] = [];
  /** The calls of the script, in their order. */
  readonly calls: Call[] = [];
  /** May be changed while the page is open. */
  readonly answers: Answers;
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext, page: Page, answers: Answers) {
    this.#context = context;
    this.page = page;
    this.answers = { ...answers };
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.faults.push(message.text());
    });
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (url !== ADDRESS && !url.startsWith(GATEWAY)) this.faults.push(`loaded ${url}`);
    });
    page.on('dialog', (dialog) => this.faults.push(`dialog ${dialog.message()}`));
  }

  /** Opens the built page at the width that Sheets gives it. */
  static async open(browser: Browser, answers: Answers, options: SidebarOptions = {}): Promise<Sidebar> {
    const { dark = false, height = 640, now, raw, stopped, events } = options;
    const context = await browser.newContext({
      viewport: { width: 300, height },
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const sidebar = new Sidebar(context, page, answers);
    if (stopped) await page.clock.install(now === undefined ? {} : { time: now });
    else if (now !== undefined) await page.clock.setFixedTime(now);
    await page.exposeFunction('answerOfTest', async (json: string) => {
      const call: Call = JSON.parse(json);
      sidebar.calls.push(call);
      const other = raw?.(call);
      return other === undefined ? sidebar.#answer(call) : other;
    });
    await page.addInitScript(GOOGLE);
    const html = await readFile(join(addonDist, 'Sidebar.html'), 'utf8');
    await page.route(ADDRESS, (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }),
    );
    await page.route(`${GATEWAY}**`, (route) => {
      const body = events?.(new URL(route.request().url()).pathname);
      return route.fulfill({
        contentType: body === undefined ? 'text/plain' : 'text/event-stream',
        headers: { 'access-control-allow-origin': '*' },
        body: body ?? '',
      });
    });
    await page.goto(ADDRESS);
    return sidebar;
  }

  async #answer({ method, payload }: Call): Promise<string> {
    // Each method takes what the page sends it: the page is checked against the same types.
    const answer: ((payload: never) => unknown) | undefined = this.answers[method];
    if (answer === undefined) throw new Error(`the test says nothing about ${method}`);
    const value = await answer(payload as never);
    if (value instanceof Refused) {
      const { message, code } = value;
      return JSON.stringify({ ok: false, message, ...(code === undefined ? {} : { code }) });
    }
    return JSON.stringify({ ok: true, value });
  }

  /** The payloads that a method was called with. */
  sent<M extends Method>(method: M): Payload<M>[] {
    return this.calls.filter((call) => call.method === method).map((call) => call.payload as Payload<M>);
  }

  /** Serious and critical findings of axe, a line each. */
  async findings(): Promise<string[]> {
    await this.page.evaluate(await readFile(AXE, 'utf8'));
    return this.page.evaluate<string[]>(`axe.run().then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary)))`);
  }

  /** How far what is shown is wider than the sidebar, in pixels. */
  overflow(): Promise<number> {
    return this.page.evaluate<number>(`Math.max(...[...document.querySelectorAll('body, .content, .dock')]
      .filter((box) => box.clientWidth > 0).map((box) => box.scrollWidth - box.clientWidth))`);
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}
