// Runs one execution in its realm: cleans the globals, installs the services, evaluates Code.js, calls a function.

import { maxCellLength } from '../../../../shared/table/cells.ts';
import { findIllegalValue } from '../script-run.ts';
import type { ExecutionKind, Failure, Job, Outcome } from '../threads/protocol.ts';
import { isDate, isRecord, pack, unpack } from '../threads/protocol.ts';
import type { CellValue } from '../types.ts';
import { Bridge, createException, type RealmPlatform } from './bridge.ts';
import { emulateObject, setMissingMethodHandler } from './emulated.ts';
import { removeForeignGlobals, UNSUPPORTED_SERVICES } from './globals.ts';
import { setClock } from './script-date.ts';
import { createHtmlService } from './services/html.ts';
import { createSpreadsheetApp } from './services/spreadsheet.ts';
import { createStores } from './services/stores.ts';
import { createScriptApp } from './services/triggers.ts';
import { createUrlFetchApp } from './services/url-fetch.ts';
import { createConsole, createSession, createUser, createUtilities } from './services/utilities.ts';

/**
 * Converts a formula's value to cells. Guide "Custom functions", return values: a two-dimensional array fills several
 * cells, a flat list one column. Short rows are padded; undefined and null are blank.
 * Throws for objects, functions, promises and empty arrays, which no cell can hold.
 */
function toCells(value: unknown): CellValue[][] {
  if (!Array.isArray(value)) return [[toCell(value)]];
  const rows = value.map((row: unknown) => (Array.isArray(row) ? row.map(toCell) : [toCell(row)]));
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width === 0) throw createException('Result was an empty array');
  return rows.map((row) => [...row, ...new Array<CellValue>(width - row.length).fill('')]);
}

function toCell(value: unknown): CellValue {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : '#NUM!';
  if (isDate(value)) return Number.isNaN(value.getTime()) ? '#NUM!' : value;
  if (typeof value !== 'string')
    throw createException(`Result was not a number, text, boolean or date: ${describeKind(value)}`);
  if (value.length <= maxCellLength) return value;
  throw createException(
    `Your input contains more than the maximum of ${maxCellLength} characters in a single cell.`,
  );
}

function describeKind(value: unknown): string {
  return Array.isArray(value) ? 'an array inside a row' : typeof value;
}

/**
 * Converts a value for the success handler of google.script.run. Reference "google.script.run", myFunction: a date, a
 * function, a service object or a circular reference anywhere makes the whole result null, without an error.
 */
export function toScriptRunResult(value: unknown): unknown {
  if (value === undefined || findIllegalValue(value) !== null) return null;
  return JSON.parse(JSON.stringify(value));
}

export type { RealmPlatform } from './bridge.ts';

/**
 * Turns this realm into one of Apps Script, evaluates the script and calls the job's function.
 * Returns a reader of the outcome; call it after all promises of the script have settled.
 */
export function execute(platform: RealmPlatform, job: Job): () => Outcome {
  try {
    const bridge = new Bridge(platform);
    removeForeignGlobals(globalThis);
    setClock(job.timeZone, job.useHostClock ? () => Number(bridge.call('Clock.now')) : Date.now);
    const { active, toRange, authModes } = installServices(bridge, job);
    evaluateScript(platform, job.code);
    const fn: unknown = Reflect.get(globalThis, job.functionName);
    if (typeof fn !== 'function') throw createException(`Script function not found: ${job.functionName}`);
    const args: unknown = unpack(job.args);
    const list: unknown[] = Array.isArray(args) ? args : [];
    if (job.kind === 'open' || job.kind === 'trigger') {
      const event = isRecord(list[0]) ? list[0] : {};
      const source = job.authMode === 'NONE' ? null : active();
      const eventUser = job.kind === 'trigger' ? { user: createUser(event.user) } : {};
      const range = event.range === undefined ? {} : { range: toRange(event.range) };
      list[0] = {
        ...event,
        ...eventUser,
        ...range,
        authMode: authModes[job.authMode],
        ...(source ? { source } : {}),
      };
    }
    return createOutcomeReader(Reflect.apply(fn, undefined, list), job);
  } catch (thrown) {
    const failure = toFailure(thrown);
    return () => ({ done: false, failure });
  }
}

/** Evaluates Code.js. Where the platform keeps compiled scripts, `eval` uses that of the second script. */
function evaluateScript(platform: RealmPlatform, code: string): void {
  // biome-ignore lint/security/noGlobalEval: evaluating the script is what a realm is for
  const evaluate = globalThis.eval;
  // The leading semicolon disables a "use strict" directive: in strict code, eval would not export the functions.
  if (platform.evaluateScript === undefined) return void evaluate(`;${code}\n//# sourceURL=Code.js`);
  const replacement = {
    eval(text: unknown): unknown {
      const known = typeof text === 'string' ? platform.evaluateSecondScript?.(text) : undefined;
      return known === undefined ? Reflect.apply(evaluate, undefined, [text]) : known.value;
    },
  };
  Object.defineProperty(globalThis, 'eval', { value: replacement.eval, writable: true, configurable: true });
  platform.evaluateScript(`;${code}`);
}

/** A formula's value is the returned value, even a promise. Other kinds may resolve until the execution ends. */
function createOutcomeReader(returned: unknown, job: Job): () => Outcome {
  const isPending = returned instanceof Promise && job.kind !== 'formula';
  let outcome = toOutcome(isPending ? undefined : returned, job);
  if (isPending) {
    returned.then(
      (result) => {
        outcome = toOutcome(result, job);
      },
      (thrown) => {
        outcome = { done: false, failure: toFailure(thrown) };
      },
    );
  }
  return () => outcome;
}

/** Converts a function's value for its caller. */
const CONVERTERS: Partial<Record<ExecutionKind, (value: unknown) => unknown>> = {
  formula: toCells,
  sidebar: toScriptRunResult,
};

function toOutcome(value: unknown, job: Job): Outcome {
  const convert = CONVERTERS[job.kind];
  try {
    return { done: true, value: pack(convert === undefined ? value : convert(value)) };
  } catch (thrown) {
    return { done: false, failure: toFailure(thrown) };
  }
}

function installServices(bridge: Bridge, job: Job) {
  setMissingMethodHandler((path) => bridge.call(path));
  const { service: SpreadsheetApp, active, toRange } = createSpreadsheetApp(bridge);
  const { service: ScriptApp, authModes } = createScriptApp(bridge);
  const services = {
    ...Object.fromEntries(UNSUPPORTED_SERVICES.map((name) => [name, emulateObject(name, {})])),
    ...createStores(bridge),
    console: createConsole(bridge),
    // Decoders read no shared memory.
    HtmlService: createHtmlService(bridge, (name) => {
      const file = job.files[name];
      return file === undefined ? '' : bridge.decode(new Uint8Array(file).slice(), 'utf-8');
    }),
    ScriptApp,
    Session: createSession(bridge),
    SpreadsheetApp,
    UrlFetchApp: createUrlFetchApp(bridge),
    Utilities: createUtilities(bridge, job.asciiDigests ? 'US_ASCII' : 'UTF_8'),
  };
  for (const [name, value] of Object.entries(services)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }
  return { active, toRange, authModes };
}

/** Converts a thrown value: an error's name and message, any other value as text. */
function toFailure(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { name: '', message: String(thrown) };
  const line = /Code\.js:(\d+)/.exec(thrown.stack ?? '')?.[1];
  return { name: thrown.name, message: thrown.message, ...(line ? { line: Number(line) } : {}) };
}
