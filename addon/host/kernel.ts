// The emulated Apps Script host: owns all state and all input and output of a script, and runs its functions in threads.
import { Caches } from './cache.ts';
import {
  Args,
  type Context,
  Exception,
  failureOf,
  type Handler,
  type Handlers,
  HostError,
  WithBytes,
} from './calls.ts';
import { argumentOf, resultOf } from './formulas.ts';
import { Locks } from './locks.ts';
import { Memo } from './memo.ts';
import { parseFunctions } from './parse.ts';
import { people } from './people.ts';
import { Properties } from './properties.ts';
import type { AuthMode, Call, Execution, Failure, Job, Outcome, Reply } from './protocol.ts';
import { permit, Quotas, RUNTIME_MS, SIMULTANEOUS } from './rules.ts';
import { Spreadsheets } from './spreadsheet.ts';
import type {
  Argument,
  Cell,
  FormulaResult,
  HostApi,
  HostOptions,
  Kind,
  Menu,
  PropertyStores,
  PublicFunction,
  RunOptions,
  Settings,
  Usage,
  Workbook,
} from './types.ts';
import { urlFetch } from './urlfetch.ts';
import { utilities } from './utilities.ts';
import { pack, unpack } from './wire.ts';

export { Exception, HostError } from './calls.ts';

/** What an execution is started with. */
interface Start {
  readonly kind: Kind;
  readonly functionName: string;
  readonly args: readonly unknown[];
  readonly cell: Cell | null;
  readonly authMode: AuthMode;
}

function later(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** Runs a built Code.js under the rules of Google Apps Script. */
export class Host implements HostApi {
  readonly functions: readonly PublicFunction[];
  readonly #options: HostOptions;
  readonly #after: (ms: number, run: () => void) => () => void;
  readonly #timeZone: string;
  readonly #properties: Properties;
  readonly #spreadsheets: Spreadsheets;
  readonly #handlers: Handlers;
  readonly #memo = new Memo();
  readonly #running = new Map<Execution, string>();
  #settings: Settings;
  #menus: Menu[] = [];
  #usage: Usage = { urlFetch: 0, executions: 0, formulaRuns: 0 };
  #closed = false;

  constructor(options: HostOptions) {
    const now = options.now ?? (() => Date.now());
    const after = options.after ?? later;
    const timeZone = options.manifest.timeZone ?? 'GMT';
    this.#timeZone = timeZone;
    const onUi = options.onUi ?? (() => undefined);
    const quotas = new Quotas(now);
    this.#options = options;
    this.#after = after;
    this.#settings = { people: options.people, documentInFormulas: options.documentInFormulas ?? true };
    this.functions = parseFunctions(options.code);
    this.#properties = new Properties(options.properties ?? {}, quotas);
    this.#spreadsheets = new Spreadsheets({
      workbook: options.workbook,
      timeZone,
      owner: () => this.#settings.people.owner,
      onWrites: options.onWrites ?? (() => undefined),
    });
    const hasDocument: Handler = (context) => context.hasDocument;
    this.#handlers = {
      'PropertiesService.getDocumentProperties': hasDocument,
      'CacheService.getDocumentCache': hasDocument,
      'LockService.getDocumentLock': hasDocument,
      ...this.#properties.handlers,
      ...new Caches(now).handlers,
      ...new Locks(after).handlers,
      ...urlFetch(options.fetch, options.manifest, quotas, (count) => this.#count('urlFetch', count)),
      ...utilities(now, after, options.uuid ?? (() => crypto.randomUUID())),
      ...people({
        now,
        timeZone,
        onUi,
        onMenu: (menu) => this.#menus.push(menu),
        onLog: options.onLog ?? (() => undefined),
      }),
      ...this.#spreadsheets.handlers,
    };
  }

  get usage(): Usage {
    return this.#usage;
  }

  get menus(): readonly Menu[] {
    return this.#menus;
  }

  get properties(): PropertyStores {
    return this.#properties.stores;
  }

  get workbook(): Workbook {
    return this.#spreadsheets.workbook;
  }

  async evaluate(name: string, args: readonly Argument[], at: Cell): Promise<FormulaResult> {
    if (!this.#isPublic(name)) {
      const error = `Unknown function: '${name}'.`;
      return { error, tooltip: error };
    }
    const values = args.map(argumentOf);
    const known = this.#memo.get(name, values);
    if (known) return known;
    const start: Start = { kind: 'formula', functionName: name, args: values, cell: at, authMode: 'FULL' };
    const context = this.#context(start);
    const refused = this.#refusal(context);
    // Not remembered: the function has not run.
    if (refused) return resultOf({ done: false, failure: refused });
    this.#count('formulaRuns', 1);
    const result = resultOf(await this.#execute(context, start));
    this.#memo.set(name, values, result);
    return result;
  }

  async run(
    name: string,
    args: readonly unknown[] = [],
    kind: 'menu' | 'open' = 'menu',
    options: RunOptions = {},
  ): Promise<unknown> {
    if (!this.#isPublic(name))
      throw new HostError({ name: 'Exception', message: `Script function not found: ${name}` });
    const authMode = kind === 'open' ? (options.authMode ?? 'LIMITED') : 'FULL';
    const start: Start = { kind, functionName: name, args, cell: null, authMode };
    const context = this.#context(start);
    const refused = this.#refusal(context);
    if (refused) throw new HostError(refused);
    const outcome = await this.#execute(context, start);
    if (!outcome.done) throw new HostError(outcome.failure);
    return unpack(outcome.value);
  }

  forget(name?: string, args?: readonly Argument[]): void {
    this.#memo.forget(name, args?.map(argumentOf));
  }

  change(settings: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...settings };
  }

  close(): void {
    this.#closed = true;
    for (const execution of [...this.#running.keys()]) execution.terminate();
  }

  #isPublic(name: string): boolean {
    return this.functions.some((each) => each.name === name);
  }

  #context({ kind, functionName, authMode, cell }: Start): Context {
    const { people, documentInFormulas } = this.#settings;
    const formula = kind === 'formula';
    return {
      kind,
      functionName,
      authMode,
      cell,
      viewer: people.viewer,
      // Guide "Custom functions": user properties are those of the spreadsheet's owner. Held here for cache and lock too.
      user: formula ? people.owner : people.viewer,
      hasDocument: this.#properties.hasDocument && (documentInFormulas || !formula),
      atEnd: new Set(),
    };
  }

  /** Guide "Quotas", exceptions: 30 executions of one user at a time. */
  #refusal(context: Context): Failure | null {
    if (this.#closed) throw new HostError({ name: 'Error', message: 'the host is closed' });
    const mine = [...this.#running.values()].filter((viewer) => viewer === context.viewer);
    if (mine.length < SIMULTANEOUS) return null;
    const message = 'There are too many scripts running simultaneously for this Google user account.';
    return { name: 'Exception', message };
  }

  async #execute(context: Context, { functionName, args, kind, authMode }: Start): Promise<Outcome> {
    this.#count('executions', 1);
    const execution = this.#options.startExecution();
    this.#running.set(execution, context.viewer);
    let late = false;
    const cancel = this.#after(RUNTIME_MS[kind], () => {
      late = true;
      execution.terminate();
    });
    const { code, now } = this.#options;
    const job: Job = {
      code,
      functionName,
      args: pack(args),
      kind,
      authMode,
      askClock: now !== undefined,
      timeZone: this.#timeZone,
    };
    try {
      return await execution.run(job, (call) => this.#answer(context, call));
    } catch (broken) {
      if (!late) throw broken;
      return { done: false, failure: { name: 'Exception', message: 'Exceeded maximum execution time' } };
    } finally {
      cancel();
      this.#running.delete(execution);
      for (const undo of [...context.atEnd]) undo();
      await this.#spreadsheets.commit(context);
    }
  }

  async #answer(context: Context, call: Call): Promise<Reply> {
    try {
      permit(context, this.#options.manifest, call.name);
      const handler = this.#handlers[call.name];
      if (!handler) throw new Exception(`not emulated: ${call.name}`);
      const given = await handler(context, new Args(unpack(call.args)), call.bytes);
      return given instanceof WithBytes
        ? { ok: true, value: pack(given.value), bytes: given.bytes }
        : { ok: true, value: pack(given), bytes: [] };
    } catch (thrown) {
      return { ok: false, failure: failureOf(thrown) };
    }
  }

  #count(what: keyof Usage, by: number): void {
    this.#usage = { ...this.#usage, [what]: this.#usage[what] + by };
  }
}
