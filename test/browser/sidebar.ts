// A person in front of the sidebar's page, alone in Chromium, with a script behind google.script.run that the test writes.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Method, MethodCall, MethodResult, Payload, Reply } from '../../addon/server/api/index.ts';
import { type Behind, SidebarWindow, type WindowOptions } from './sidebar-window.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What a method of the script does: gives a value, refuses, or throws as a broken script does. */
export type Answers = {
  [M in Method]?: (payload: Payload<M>) => MethodResult<M> | Refused | Promise<MethodResult<M> | Refused>;
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

export interface SidebarOptions extends WindowOptions {
  /** Server-sent events of the gateway, by the path of their address; `undefined` is an answer without any. */
  events?: Behind['events'];
  /** Answers in place of what the script answers, such as null. */
  raw?: (call: MethodCall) => string | null | undefined;
}

/** What the script says to a call, as JSON. */
async function answerTo(answers: Answers, { method, payload }: MethodCall): Promise<string> {
  // Each method takes what the page sends it: the page is checked against the same types.
  const answer: ((payload: never) => unknown) | undefined = answers[method];
  if (answer === undefined) throw new Error(`the test says nothing about ${method}`);
  const value = await answer(payload as never);
  if (value instanceof Refused) {
    const { message, code } = value;
    return JSON.stringify({ ok: false, message, ...(code === undefined ? {} : { code }) });
  }
  return JSON.stringify({ ok: true, value });
}

/** The page, open. */
export class Sidebar {
  readonly page: Page;
  /** Console errors, exceptions, and whatever the page tried to load. */
  readonly faults: string[];
  /** The calls of the script, in their order. */
  readonly calls: MethodCall[];
  /** May be changed while the page is open. */
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

  /** Opens the built page at the width that Sheets gives it. */
  static async open(browser: Browser, answers: Answers, options: SidebarOptions = {}): Promise<Sidebar> {
    const { raw, events = () => undefined, ...how } = options;
    const calls: MethodCall[] = [];
    const faults: string[] = [];
    const own = { ...answers };
    const answer = async (json: string): Promise<string | null> => {
      const call: MethodCall = JSON.parse(json);
      calls.push(call);
      const other = raw?.(call);
      return other === undefined ? answerTo(own, call) : other;
    };
    const fault = (what: string): void => void faults.push(what);
    const window = await SidebarWindow.open(browser, { answer, events, fault }, how);
    return new Sidebar(window, { calls, faults, answers: own });
  }

  /** The payloads that a method was called with. */
  sent<M extends Method>(method: M): Payload<M>[] {
    return this.calls.filter((call) => call.method === method).map((call) => call.payload as Payload<M>);
  }

  /** Serious and critical findings of axe, a line each. */
  async findings(): Promise<string[]> {
    if (!this.#hasAxe) await this.page.evaluate(await readFile(AXE, 'utf8'));
    this.#hasAxe = true;
    return this.page.evaluate<string[]>(`axe.run().then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary)))`);
  }

  /** How far what is shown is wider than the sidebar, in pixels. */
  overflow(): Promise<number> {
    return this.page.evaluate<number>(`Math.max(...[...document.querySelectorAll('body, .content, .dock')]
      .filter((box) => box.clientWidth > 0).map((box) => box.scrollWidth - box.clientWidth))`);
  }

  /**
   * Ends the page.
   * @param again - whether its window may show another one; not after a test that failed, which may still be at it
   */
  async close(again = true): Promise<void> {
    await this.#window.close(again);
  }
}
