// Runs one execution in its realm: cleans the globals, installs the services, evaluates Code.js, calls a function.

import type { ExecutionKind, Failure, Job, Outcome } from '../threads/protocol.ts';
import { isRecord, pack, unpack } from '../threads/serializer.ts';
import { Bridge, type Door, exception } from './bridge.ts';
import { missing } from './emulated.ts';
import { MISSING, sweep } from './globals.ts';
import { carried, cellsOf } from './results.ts';
import { setClock } from './script-date.ts';
import { htmlService } from './services/html.ts';
import { spreadsheetApp } from './services/spreadsheet.ts';
import { stores } from './services/stores.ts';
import { scriptApp } from './services/triggers.ts';
import { urlFetchApp } from './services/url-fetch.ts';
import { logs, session, user, utilities } from './services/utilities.ts';

export type { Door } from './bridge.ts';

/**
 * Turns this realm into one of Apps Script, evaluates the script and calls the job's function.
 * Returns a reader of the outcome; call it after all promises of the script have settled.
 */
export function execute(door: Door, job: Job): () => Outcome {
  try {
    const bridge = new Bridge(door);
    sweep(globalThis);
    setClock(job.timeZone, job.askClock ? () => Number(bridge.ask('Clock.now')) : Date.now);
    const { active, authModes } = install(bridge);
    // biome-ignore lint/security/noGlobalEval: evaluating the script is what a realm is for
    const evaluate = globalThis.eval;
    // The leading semicolon disables a "use strict" directive: in strict code, eval would not export the functions.
    evaluate(`;${job.code}\n//# sourceURL=Code.js`);
    const called: unknown = Reflect.get(globalThis, job.functionName);
    if (typeof called !== 'function') throw exception(`Script function not found: ${job.functionName}`);
    const args: unknown = unpack(job.args);
    const list: unknown[] = Array.isArray(args) ? args : [];
    if (job.kind === 'open' || job.kind === 'trigger') {
      const event = isRecord(list[0]) ? list[0] : {};
      const source = job.authMode === 'NONE' ? null : active();
      const opener = job.kind === 'trigger' ? { user: user(event.user) } : {};
      list[0] = { ...event, ...opener, authMode: authModes[job.authMode], ...(source ? { source } : {}) };
    }
    return settled(Reflect.apply(called, undefined, list), job);
  } catch (thrown) {
    const failure = failureOf(thrown);
    return () => ({ done: false, failure });
  }
}

/** A formula's value is the returned value, even a promise. Other kinds may resolve until the execution ends. */
function settled(value: unknown, job: Job): () => Outcome {
  let outcome = value instanceof Promise ? attempt(() => undefined, job) : attempt(() => value, job);
  if (value instanceof Promise && job.kind === 'formula') return () => attempt(() => value, job);
  if (value instanceof Promise) {
    value.then(
      (kept) => {
        outcome = attempt(() => kept, job);
      },
      (thrown) => {
        outcome = { done: false, failure: failureOf(thrown) };
      },
    );
  }
  return () => outcome;
}

/** Converts a function's value for its caller. */
const GIVES: Partial<Record<ExecutionKind, (value: unknown) => unknown>> = {
  formula: cellsOf,
  sidebar: carried,
};

function same(value: unknown): unknown {
  return value;
}

function attempt(value: () => unknown, job: Job): Outcome {
  try {
    return { done: true, value: pack((GIVES[job.kind] ?? same)(value())) };
  } catch (thrown) {
    return { done: false, failure: failureOf(thrown) };
  }
}

function install(bridge: Bridge) {
  const { service: SpreadsheetApp, active } = spreadsheetApp(bridge);
  const { service: ScriptApp, authModes } = scriptApp(bridge);
  const services = {
    ...Object.fromEntries(MISSING.map((name) => [name, missing(name)])),
    ...stores(bridge),
    ...logs(bridge),
    HtmlService: htmlService(bridge),
    ScriptApp,
    Session: session(bridge),
    SpreadsheetApp,
    UrlFetchApp: urlFetchApp(bridge),
    Utilities: utilities(bridge),
  };
  for (const [name, value] of Object.entries(services)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }
  return { active, authModes };
}

/** Converts a thrown value: an error's name and message, any other value as text. */
function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { name: '', message: String(thrown) };
  const line = /Code\.js:(\d+)/.exec(thrown.stack ?? '')?.[1];
  return { name: thrown.name, message: thrown.message, ...(line ? { line: Number(line) } : {}) };
}
