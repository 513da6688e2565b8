// Page object of the sidebar: the built page in Chromium, with a fake script behind google.script.run.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, expect } from 'vitest';
import type { Failure, Method, MethodCall, MethodResult, Payload } from '../../addon/server/api/index.ts';
import { type Family, familyLabels } from '../../shared/families/registry.ts';
import { addonDist } from '../../worker/commands/paths.ts';
import { eventually, matchSpaces, shareBrowser } from './browser.ts';
import { type PageBackend, SidebarWindow, type WindowOptions } from './sidebar-window.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Results of the script's methods: a value, a refusal, or an exception. */
export type Answers = {
  [M in Method]?: (payload: Payload<M>) => MethodResult<M> | Refused | Promise<MethodResult<M> | Refused>;
};

/** A refusal instead of a value. */
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

export interface SidebarOptions extends WindowOptions {
  events?: PageBackend['events'];
  /** Overrides the raw JSON of a reply. */
  raw?: (call: MethodCall) => string | null | undefined;
}

async function toReply(answers: Answers, { method, payload }: MethodCall): Promise<string> {
  // The page is type-checked against the same payload types.
  const answer: ((payload: never) => unknown) | undefined = answers[method];
  if (answer === undefined) throw new Error(`no answer for ${method}`);
  const value = await answer(payload as never);
  if (value instanceof Refused) return JSON.stringify({ ok: false, ...value });
  return JSON.stringify({ ok: true, value });
}

/** The built second script. Each page loads it; it is no call that a test is about. */
export const readTabs = (): Promise<string> => readFile(join(addonDist, 'SidebarTabs.html'), 'utf8');

/** An open sidebar. */
export class Sidebar {
  readonly page: Page;
  /** Console errors, exceptions, and requests. */
  readonly faults: string[];
  /** Calls of the script in order. */
  readonly calls: MethodCall[];
  /** Can change while the page is open. */
  readonly answers: Answers;
  readonly #window: SidebarWindow;
  #hasAxe = false;

  private constructor(
    window: SidebarWindow,
    { calls, faults, answers }: Pick<Sidebar, 'calls' | 'faults' | 'answers'>,
  ) {
    this.#window = window;
    this.page = window.page;
    this.calls = calls;
    this.faults = faults;
    this.answers = answers;
  }

  static async open(browser: Browser, answers: Answers, options: SidebarOptions = {}): Promise<Sidebar> {
    const { raw, events = () => undefined, ...windowOptions } = options;
    const calls: MethodCall[] = [];
    const faults: string[] = [];
    const ownAnswers: Answers = { laterTabs: readTabs, ...answers };
    const answer = async (json: string): Promise<string | null> => {
      const call: MethodCall = JSON.parse(json);
      if (call.method !== 'laterTabs') calls.push(call);
      const override = raw?.(call);
      return override === undefined ? toReply(ownAnswers, call) : override;
    };
    const onFault = (fault: string): void => void faults.push(fault);
    const window = await SidebarWindow.open(browser, { answer, events, onFault }, windowOptions);
    return new Sidebar(window, { calls, faults, answers: ownAnswers });
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

  /** Returns the horizontal overflow in pixels. */
  overflow(): Promise<number> {
    return this.page.evaluate<number>(`Math.max(...[...document.querySelectorAll('body, .content, .dock')]
      .filter((box) => box.clientWidth > 0).map((box) => box.scrollWidth - box.clientWidth))`);
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

/**
 * Closes sidebars after each test and checks that they had no faults.
 * @returns opens a sidebar with these answers and changes to them
 */
export function setUpSidebars(
  defaults: Answers,
): (changed?: Answers, options?: SidebarOptions) => Promise<Sidebar> {
  let browser: Browser;
  const opened: Sidebar[] = [];
  beforeAll(async () => {
    browser = await shareBrowser();
  });
  afterEach(async ({ task }) => {
    const sidebars = opened.splice(0);
    for (const sidebar of sidebars) await sidebar.close(task.result?.state !== 'fail');
    expect(sidebars.flatMap(({ faults }) => faults)).toEqual([]);
  });
  return async (changed = {}, options) => {
    const sidebar = await Sidebar.open(browser, { ...defaults, ...changed }, options);
    opened.push(sidebar);
    return sidebar;
  };
}
