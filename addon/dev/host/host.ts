// The emulated Apps Script host: owns the state and I/O of a script and runs its functions in threads.

import { type Context, type Handler, type Handlers, HostError } from './calls.ts';
import { parseFunctions } from './formulas/parse-functions.ts';
import { Memo } from './formulas/result-cache.ts';
import { argumentOf, resultOf } from './formulas/values.ts';
import { Quotas } from './permissions.ts';
import { Runner, type Start } from './runner.ts';
import { CALLS_AT_ONCE, passed } from './script-run.ts';
import { Caches } from './services/cache.ts';
import { Locks } from './services/locks.ts';
import { Properties } from './services/properties.ts';
import { Triggers } from './services/triggers.ts';
import { urlFetch } from './services/url-fetch.ts';
import { people } from './services/user-interface.ts';
import { utilities } from './services/utilities.ts';
import { Spreadsheets } from './sheets/spreadsheet-service.ts';
import type { Outcome } from './threads/protocol.ts';
import { unpack } from './threads/serializer.ts';
import type {
  Argument,
  Cell,
  FormulaResult,
  HostApi,
  HostOptions,
  Menu,
  PropertyStores,
  PublicFunction,
  RunOptions,
  Settings,
  TriggerData,
  TriggerRun,
  Usage,
  Workbook,
} from './types.ts';

export { Exception, HostError } from './calls.ts';

function later(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** Runs a built Code.js under the rules of Google Apps Script. */
export class Host implements HostApi {
  readonly functions: readonly PublicFunction[];
  readonly #properties: Properties;
  readonly #caches: Caches;
  readonly #spreadsheets: Spreadsheets;
  readonly #runner: Runner;
  readonly #triggers: Triggers;
  readonly #quotas: Quotas;
  readonly #now: () => number;
  readonly #memo = new Memo();
  /** Queued calls of google.script.run. */
  readonly #queue: (() => void)[] = [];
  #calling = 0;
  #settings: Settings;
  #menus: readonly Menu[] = [];
  #usage: Usage = { urlFetch: 0, executions: 0, formulaRuns: 0 };

  constructor(options: HostOptions) {
    const now = options.now ?? (() => Date.now());
    const after = options.after ?? later;
    const timeZone = options.manifest.timeZone ?? 'GMT';
    const onUi = options.onUi ?? (() => undefined);
    const uuid = options.uuid ?? (() => crypto.randomUUID());
    const quotas = new Quotas(now);
    this.#now = now;
    this.#quotas = quotas;
    const { people: persons, documentInFormulas = true } = options;
    this.#settings = { people: persons, documentInFormulas };
    this.functions = parseFunctions(options.code);
    this.#properties = new Properties(options.properties ?? {}, quotas);
    this.#spreadsheets = new Spreadsheets({
      workbook: options.workbook,
      timeZone,
      owner: () => this.#settings.people.owner,
      onWrites: options.onWrites ?? (() => undefined),
    });
    this.#caches = new Caches(now);
    this.#triggers = new Triggers({
      triggers: options.triggers ?? [],
      uuid,
      documentId: () => this.#spreadsheets.documentId(),
    });
    const hasDocument: Handler = (context) => context.hasDocument;
    const handlers: Handlers = {
      'PropertiesService.getDocumentProperties': hasDocument,
      'CacheService.getDocumentCache': hasDocument,
      'LockService.getDocumentLock': hasDocument,
      ...this.#properties.handlers,
      ...this.#caches.handlers,
      ...new Locks(after).handlers,
      ...urlFetch(options.fetch, options.manifest, quotas, (count) => this.#count('urlFetch', count)),
      ...utilities(now, after, uuid),
      ...people({
        now,
        timeZone,
        files: options.files ?? {},
        onUi,
        onMenu: (menu) => this.#show(menu),
        onLog: options.onLog ?? (() => undefined),
      }),
      ...this.#spreadsheets.handlers,
      ...this.#triggers.handlers,
    };
    const { code, manifest, startExecution } = options;
    this.#runner = new Runner({
      ...{ code, manifest, startExecution, timeZone, after, handlers },
      askClock: options.now !== undefined,
      onEnd: (context) => this.#spreadsheets.commit(context),
    });
  }

  get usage(): Usage {
    return this.#usage;
  }

  get menus(): readonly Menu[] {
    return this.#menus;
  }

  get triggers(): readonly TriggerData[] {
    return this.#triggers.all;
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
    const refused = this.#runner.refusal(context);
    // Not cached: the function has not run.
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
    const { user } = options;
    const start: Start = { kind, functionName: name, args, cell: null, authMode };
    const outcome = await this.#outcome(user === undefined ? start : { ...start, user });
    if (!outcome.done) throw new HostError(outcome.failure);
    return unpack(outcome.value);
  }

  async call(name: string, args: readonly unknown[] = []): Promise<unknown> {
    const own = passed(args);
    if (!this.#isPublic(name)) throw new TypeError(`google.script.run.${name} is not a function`);
    await this.#turn();
    try {
      const start: Start = { kind: 'sidebar', functionName: name, args: own, cell: null, authMode: 'FULL' };
      const outcome = await this.#outcome(start);
      if (outcome.done) return unpack(outcome.value);
      const { name: error, message } = outcome.failure;
      // The failure handler receives the script's error as one text.
      throw new HostError({ name: 'ScriptError', message: error === '' ? message : `${error}: ${message}` });
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#calling--;
    }
  }

  async runOpenTriggers(): Promise<readonly TriggerRun[]> {
    const runs: TriggerRun[] = [];
    for (const trigger of this.#triggers.all) {
      runs.push({ trigger, error: await this.#fired(trigger) });
    }
    return runs;
  }

  async #fired(trigger: TriggerData): Promise<string | null> {
    const { functionName, user } = trigger;
    const since = this.#now();
    const opened = { triggerUid: trigger.uid, user: this.#settings.people.viewer };
    const refused = this.#quotas.triggerRefusal(user);
    if (refused) return refused;
    try {
      const outcome = await this.#outcome({
        kind: 'trigger',
        functionName,
        args: [opened],
        cell: null,
        authMode: 'FULL',
        user,
      });
      return outcome.done ? null : outcome.failure.message;
    } finally {
      this.#quotas.addTrigger(user, this.#now() - since);
    }
  }

  forget(name?: string, args?: readonly Argument[]): void {
    this.#memo.forget(name, args?.map(argumentOf));
  }

  forgetCaches(): void {
    this.#caches.forget();
  }

  change(settings: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...settings };
  }

  close(): void {
    this.#runner.close();
  }

  /** Resolves when a call of google.script.run may start. A finished call passes its slot on. */
  #turn(): Promise<void> {
    if (this.#calling >= CALLS_AT_ONCE) return new Promise((resolve) => this.#queue.push(resolve));
    this.#calling++;
    return Promise.resolve();
  }

  async #outcome(start: Start): Promise<Outcome> {
    const context = this.#context(start);
    const failure = this.#runner.refusal(context);
    return failure ? { done: false, failure } : this.#execute(context, start);
  }

  #execute(context: Context, start: Start): Promise<Outcome> {
    this.#count('executions', 1);
    return this.#runner.run(context, start);
  }

  /** Adds a menu, replacing one with the same caption. */
  #show(menu: Menu): void {
    const others = this.#menus.filter(
      ({ caption, addon }) => caption !== menu.caption || addon !== menu.addon,
    );
    this.#menus = [...others, menu];
  }

  #isPublic(name: string): boolean {
    return this.functions.some((each) => each.name === name);
  }

  #context({ kind, functionName, authMode, cell, user }: Start): Context {
    const { people, documentInFormulas } = this.#settings;
    const formula = kind === 'formula';
    return {
      kind,
      functionName,
      authMode,
      cell,
      viewer: user ?? people.viewer,
      // Guide "Custom functions": user properties are the spreadsheet owner's. Cache and lock follow the same rule here.
      user: formula ? people.owner : (user ?? people.viewer),
      hasDocument: this.#properties.hasDocument && (documentInFormulas || !formula),
      atEnd: new Set(),
    };
  }

  #count(what: keyof Usage, by: number): void {
    this.#usage = { ...this.#usage, [what]: this.#usage[what] + by };
  }
}
