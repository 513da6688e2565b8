// Sidebars with canned answers instead of the add-on's server. Suites that still use them move to `setUpSidebars` of sidebar.ts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEach, beforeAll } from 'vitest';
import type { Method, MethodCall, MethodResult, Payload } from '../../addon/server/api/index.ts';
import { addonDist } from '../../worker/commands/paths.ts';
import { shareBrowser } from './browser.ts';
import { closeSidebars, type PageOptions, Refused, Sidebar } from './sidebar.ts';

export { never, Refused } from './sidebar.ts';

/** Results of the script's methods: a value, a refusal, or an exception. */
export type Answers = {
  [M in Method]?: (payload: Payload<M>) => MethodResult<M> | Refused | Promise<MethodResult<M> | Refused>;
};

export interface CannedOptions extends PageOptions {
  /** Overrides the raw JSON of a reply. */
  raw?: (call: MethodCall) => string | null | undefined;
}

/** `answers` can change while the page is open. */
export type CannedSidebar = Sidebar & { readonly answers: Answers };

async function toReply(answers: Answers, { method, payload }: MethodCall): Promise<string> {
  // The page is type-checked against the same payload types.
  const answer: ((payload: never) => unknown) | undefined = answers[method];
  if (answer === undefined) throw new Error(`no answer for ${method}`);
  const value = await answer(payload as never);
  if (value instanceof Refused) return JSON.stringify({ ok: false, ...value });
  return JSON.stringify({ ok: true, value });
}

/** The built second script. */
export const readTabs = (): Promise<string> => readFile(join(addonDist, 'SidebarTabs.html'), 'utf8');

export async function openCanned(
  browser: Browser,
  answers: Answers,
  { raw, ...options }: CannedOptions = {},
): Promise<CannedSidebar> {
  const ownAnswers: Answers = { laterTabs: readTabs, ...answers };
  const answer = async (call: MethodCall): Promise<string | null> => {
    const override = raw?.(call);
    return override === undefined ? toReply(ownAnswers, call) : override;
  };
  return Object.assign(await Sidebar.open(browser, answer, options), { answers: ownAnswers });
}

/** Closes sidebars after each test and checks that they had no faults. */
export function setUpCanned(
  defaults: Answers,
): (changed?: Answers, options?: CannedOptions) => Promise<CannedSidebar> {
  let browser: Browser;
  const opened: Sidebar[] = [];
  beforeAll(async () => {
    browser = await shareBrowser();
  });
  afterEach(({ task }) => closeSidebars(opened, task.result?.state !== 'fail'));
  return async (changed = {}, options) => {
    const sidebar = await openCanned(browser, { ...defaults, ...changed }, options);
    opened.push(sidebar);
    return sidebar;
  };
}
