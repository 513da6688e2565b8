// The emulated Apps Script host: owns the state and I/O of a script and runs its functions in threads.

import { type Context, type Handler, type Handlers, HostError } from './calls.ts';
import { parseFunctions } from './formulas/parse-functions.ts';
import { ResultCache } from './formulas/result-cache.ts';
import { toFormulaResult, toFunctionArgument } from './formulas/values.ts';
import { Quotas } from './permissions.ts';
import { type ExecutionRequest, Runner } from './runner.ts';
import { copyArguments, MAX_CONCURRENT_CALLS } from './script-run.ts';
import { Caches } from './services/cache.ts';
import { Locks } from './services/locks.ts';
import { Properties } from './services/properties.ts';
import { Triggers } from './services/triggers.ts';
import { urlFetchHandlers } from './services/url-fetch.ts';
import { uiHandlers } from './services/user-interface.ts';
import { utilityHandlers } from './services/utilities.ts';
import { SpreadsheetService } from './sheets/spreadsheet-service.ts';
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

function setSystemTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** Runs a built Code.js under the rules of Google Apps Script. */
export class Host implements HostApi {
  readonly functions: readonly PublicFunction[];
  readonly #properties: Properties;
  readonly #caches: Caches;
  readonly #spreadsheets: SpreadsheetService;
  readonly #runner: Runner;
  readonly #triggers: Triggers;
  readonly #quotas: Quotas;
  readonly #now: () => number;
  readonly #results = new ResultCache();
  /** Queued calls of google.script.run. */
  readonly #queue: (() => void)[] = [];
  #activeCalls = 0;
  #settings: Settings;
  #menus: readonly Menu[] = [];
  #usage: Usage = { urlFetch: 0, executions: 0, formulaRuns: 0 };

  constructor(options: HostOptions) {
    const now = options.now ?? (() => Date.now());
    const setTimer = options.setTimer ?? setSystemTimer;
    const timeZone = options.manifest.timeZone ?? 'GMT';
    const onUi = options.onUi ?? (() => undefined);
    const uuid = options.uuid ?? (() => crypto.randomUUID());
    const quotas = new Quotas(now);
    this.#now = now;
    this.#quotas = quotas;
    const { people, documentInFormulas = true } = options;
    this.#settings = { people, documentInFormulas };
    this.functions = parseFunctions(options.code);
    this.#properties = new Properties(options.properties ?? {}, quotas);
    this.#spreadsheets = new SpreadsheetService({
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
      ...new Locks(setTimer).handlers,
      ...urlFetchHandlers(options.fetch, options.manifest, quotas, (count) => this.#count('urlFetch', count)),
      ...utilityHandlers(now, setTimer, uuid),
      ...uiHandlers({
        now,
        timeZone,
        files: options.files ?? {},
        onUi,
        onMenu: (menu) => this.#addMenu(menu),
        onLog: options.onLog ?? (() => undefined),
      }),
      ...this.#spreadsheets.handlers,
      ...this.#triggers.handlers,
    };
    const { code, manifest, startExecution } = options;
    this.#runner = new Runner({
      ...{ code, manifest, startExecution, timeZone, setTimer, handlers },
      useHostClock: options.now !== undefined,
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
    const values = args.map(toFunctionArgument);
    const cached = this.#results.get(name, values);
    if (cached) return cached;
    const request: ExecutionRequest = {
      kind: 'formula',
      functionName: name,
      args: values,
      cell: at,
      authMode: 'FULL',
    };
    const context = this.#createContext(request);
    const refusal = this.#runner.checkConcurrency(context);
    // Not cached: the function has not run.
    if (refusal) return toFormulaResult({ done: false, failure: refusal });
    this.#count('formulaRuns', 1);
    const result = toFormulaResult(await this.#execute(context, request));
    this.#results.set(name, values, result);
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
    const request: ExecutionRequest = { kind, functionName: name, args, cell: null, authMode };
    const outcome = await this.#start(user === undefined ? request : { ...request, user });
    if (!outcome.done) throw new HostError(outcome.failure);
    return unpack(outcome.value);
  }

  async call(name: string, args: readonly unknown[] = []): Promise<unknown> {
    const copied = copyArguments(args);
    if (!this.#isPublic(name)) throw new TypeError(`google.script.run.${name} is not a function`);
    await this.#waitForSlot();
    try {
      const request: ExecutionRequest = {
        kind: 'sidebar',
        functionName: name,
        args: copied,
        cell: null,
        authMode: 'FULL',
      };
      const outcome = await this.#start(request);
      if (outcome.done) return unpack(outcome.value);
      const { name: errorName, message } = outcome.failure;
      // The failure handler receives the script's error as one text.
      throw new HostError({
        name: 'ScriptError',
        message: errorName === '' ? message : `${errorName}: ${message}`,
      });
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#activeCalls--;
    }
  }

  async runOpenTriggers(): Promise<readonly TriggerRun[]> {
    const runs: TriggerRun[] = [];
    for (const trigger of this.#triggers.all) {
      runs.push({ trigger, error: await this.#runTrigger(trigger) });
    }
    return runs;
  }

  async #runTrigger(trigger: TriggerData): Promise<string | null> {
    const { functionName, user } = trigger;
    const startedAt = this.#now();
    const event = { triggerUid: trigger.uid, user: this.#settings.people.viewer };
    const refusal = this.#quotas.checkTriggerTime(user);
    if (refusal) return refusal;
    try {
      const outcome = await this.#start({
        kind: 'trigger',
        functionName,
        args: [event],
        cell: null,
        authMode: 'FULL',
        user,
      });
      return outcome.done ? null : outcome.failure.message;
    } finally {
      this.#quotas.addTriggerTime(user, this.#now() - startedAt);
    }
  }

  clearResults(name?: string, args?: readonly Argument[]): void {
    this.#results.delete(name, args?.map(toFunctionArgument));
  }

  clearCaches(): void {
    this.#caches.clear();
  }

  updateSettings(settings: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...settings };
  }

  close(): void {
    this.#runner.close();
  }

  /** Resolves when a call of google.script.run may start. A finished call passes its slot on. */
  #waitForSlot(): Promise<void> {
    if (this.#activeCalls >= MAX_CONCURRENT_CALLS) return new Promise((resolve) => this.#queue.push(resolve));
    this.#activeCalls++;
    return Promise.resolve();
  }

  async #start(request: ExecutionRequest): Promise<Outcome> {
    const context = this.#createContext(request);
    const failure = this.#runner.checkConcurrency(context);
    return failure ? { done: false, failure } : this.#execute(context, request);
  }

  #execute(context: Context, request: ExecutionRequest): Promise<Outcome> {
    this.#count('executions', 1);
    return this.#runner.run(context, request);
  }

  /** Adds a menu, replacing one with the same caption. */
  #addMenu(menu: Menu): void {
    const otherMenus = this.#menus.filter(
      ({ caption, addon }) => caption !== menu.caption || addon !== menu.addon,
    );
    this.#menus = [...otherMenus, menu];
  }

  #isPublic(name: string): boolean {
    return this.functions.some((item) => item.name === name);
  }

  #createContext({ kind, functionName, authMode, cell, user }: ExecutionRequest): Context {
    const { people, documentInFormulas } = this.#settings;
    const isFormula = kind === 'formula';
    return {
      kind,
      functionName,
      authMode,
      cell,
      viewer: user ?? people.viewer,
      // Guide "Custom functions": user properties are the spreadsheet owner's. Cache and lock follow the same rule here.
      user: isFormula ? people.owner : (user ?? people.viewer),
      hasDocument: this.#properties.hasDocument && (documentInFormulas || !isFormula),
      cleanups: new Set(),
    };
  }

  #count(counter: keyof Usage, by: number): void {
    this.#usage = { ...this.#usage, [counter]: this.#usage[counter] + by };
  }
}
