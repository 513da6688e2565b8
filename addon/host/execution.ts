// One execution inside its realm: fresh globals, the services, Code.js, one call. The same on every platform.
import { setClock } from './clock.ts';
import { MISSING, sweep } from './globals.ts';
import type { Failure, Job, Outcome } from './protocol.ts';
import { cellsOf } from './results.ts';
import { Bridge, type Door, exception } from './services/bridge.ts';
import { missing } from './services/emulated.ts';
import { urlFetchApp } from './services/fetch.ts';
import { spreadsheetApp } from './services/spreadsheet.ts';
import { stores } from './services/stores.ts';
import { logs, scriptApp, session, utilities } from './services/utilities.ts';
import { isRecord, pack, unpack } from './wire.ts';

export type { Door } from './services/bridge.ts';

/**
 * Makes this realm one of Apps Script, evaluates the script and calls the job's function.
 * Gives back what tells the outcome: to be asked after all promises of the script have had their turn.
 */
export function execute(door: Door, job: Job): () => Outcome {
  try {
    const bridge = new Bridge(door);
    sweep(globalThis);
    setClock(job.timeZone, job.askClock ? () => Number(bridge.ask('Clock.now')) : Date.now);
    const { active, authModes } = install(bridge);
    // biome-ignore lint/security/noGlobalEval: evaluating the script is what a realm is for
    const evaluate = globalThis.eval;
    // Behind a semicolon "use strict" is no directive: in strict code eval would keep the functions to itself.
    evaluate(`;${job.code}\n//# sourceURL=Code.js`);
    const called: unknown = Reflect.get(globalThis, job.functionName);
    if (typeof called !== 'function') throw exception(`Script function not found: ${job.functionName}`);
    const args: unknown = unpack(job.args);
    const list: unknown[] = Array.isArray(args) ? args : [];
    if (job.kind === 'open') {
      const event = isRecord(list[0]) ? list[0] : {};
      const source = job.authMode === 'NONE' ? undefined : active();
      list[0] = { ...event, authMode: authModes[job.authMode], ...(source ? { source } : {}) };
    }
    return settled(Reflect.apply(called, undefined, list), job);
  } catch (thrown) {
    const failure = failureOf(thrown);
    return () => ({ done: false, failure });
  }
}

/** A formula's value is what the function returned; anyone else's promise has until the end of the execution. */
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

function attempt(value: () => unknown, job: Job): Outcome {
  try {
    return { done: true, value: pack(job.kind === 'formula' ? cellsOf(value()) : value()) };
  } catch (thrown) {
    return { done: false, failure: failureOf(thrown) };
  }
}

function install(bridge: Bridge) {
  const { service: SpreadsheetApp, active } = spreadsheetApp(bridge);
  const { service: ScriptApp, authModes } = scriptApp();
  const services = {
    ...Object.fromEntries(MISSING.map((name) => [name, missing(name)])),
    ...stores(bridge),
    ...logs(bridge),
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

/** What a cell or a log tells of something thrown: an error's name and message, anything else as text. */
function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { name: '', message: String(thrown) };
  const line = /Code\.js:(\d+)/.exec(thrown.stack ?? '')?.[1];
  return { name: thrown.name, message: thrown.message, ...(line ? { line: Number(line) } : {}) };
}
