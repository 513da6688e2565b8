// The emulated Apps Script host: owns the state and I/O of a script and runs its functions in threads.

import { type Context, Exception, type Handler, type Handlers, HostError } from './calls.ts';
import { parseFunctions, toFormulaResult, toFunctionArgument } from './formulas/custom-functions.ts';
import { authorizationHandlers, Quotas } from './permissions.ts';
import { type ExecutionRequest, Runner, setSystemTimer } from './runner.ts';
import { checkAccounts, copyArguments, limitConcurrency, MAX_PAGE_CALLS } from './script-run.ts';
import { Caches } from './services/cache.ts';
import { Locks } from './services/locks.ts';
import { Properties } from './services/properties.ts';
import { Triggers } from './services/triggers.ts';
import { urlFetchHandlers } from './services/url-fetch.ts';
import { memoizeByText, shareFiles, uiHandlers } from './services/user-interface.ts';
import { utilityHandlers } from './services/utilities.ts';
import { readSettings } from './settings.ts';
import { SpreadsheetService } from './sheets/spreadsheet-service.ts';
import type { Outcome } from './threads/protocol.ts';
import { pack, unpack } from './threads/protocol.ts';
import type {
  Argument,
  Block,
  CacheStores,
  Cell,
  ChangeType,
  FormulaResult,
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

export { Exception } from './calls.ts';

const listFunctions = memoizeByText(parseFunctions);

const WITH_CONSENT = { cell: null, authMode: 'FULL' } as const;

/** Runs a built Code.js under the rules of Google Apps Script. */
export class Host {
  /** Public functions of Code.js, for autocomplete. */
  readonly functions: readonly PublicFunction[];
  readonly #properties: Properties;
  readonly #caches: Caches;
  readonly #spreadsheets: SpreadsheetService;
  readonly #runner: Runner;
  readonly #triggers: Triggers;
  readonly #quotas: Quotas;
  readonly #now: () => number;
  /** Results of formulas by name and arguments, if the setting `reusesResults` is true. */
  readonly #results = new Map<string, FormulaResult>();
  readonly #limitPageCalls = limitConcurrency(MAX_PAGE_CALLS);
  #settings: Settings;
  #menus: readonly Menu[] = [];
  /** When the last execution ended on the script's clock. Time never goes back: no execution begins earlier. */
  #endedAt = 0;
  #usage: Usage = { urlFetch: 0, executions: 0, formulaRuns: 0, serviceCalls: 0 };

  constructor(options: HostOptions) {
    const now = options.now ?? (() => Date.now());
    const setTimer = options.setTimer ?? setSystemTimer;
    const timeZone = options.manifest.timeZone ?? 'GMT';
    const uuid = options.uuid ?? (() => crypto.randomUUID());
    const quotas = new Quotas(now);
    this.#now = now;
    this.#quotas = quotas;
    this.#settings = readSettings(options);
    this.functions = listFunctions(options.code);
    this.#properties = new Properties(options.properties ?? {}, quotas, options.scriptEditors);
    this.#spreadsheets = new SpreadsheetService({
      workbook: options.workbook,
      timeZone,
      owner: () => this.#settings.people.owner,
      onWrites: options.onWrites ?? (() => undefined),
    });
    this.#caches = new Caches(now, options.caches);
    this.#triggers = new Triggers({
      triggers: options.triggers ?? [],
      uuid,
      documentId: () => this.#spreadsheets.documentId(),
    });
    const hasDocument: Handler = (context) => context.hasDocument;
    const handlers: Handlers = {
      'PropertiesService.getDocumentProperties': (context, ...call) => {
        if (!context.settings.documentFails) return hasDocument(context, ...call);
        throw new Exception('You do not have permission to call PropertiesService.getDocumentProperties.');
      },
      'CacheService.getDocumentCache': hasDocument,
      'LockService.getDocumentLock': hasDocument,
      ...this.#properties.handlers,
      ...this.#caches.handlers,
      ...new Locks(setTimer).handlers,
      ...urlFetchHandlers(options.fetch, options.manifest, quotas, (count) => this.#count('urlFetch', count)),
      ...utilityHandlers(now, setTimer, uuid),
      ...uiHandlers({ files: {}, onUi: () => undefined, onLog: () => undefined, ...options }, (menu) =>
        this.#addMenu(menu),
      ),
      ...this.#spreadsheets.handlers,
      ...this.#triggers.handlers,
      ...authorizationHandlers(options),
    };
    const { code, manifest, startExecution } = options;
    this.#runner = new Runner({
      ...{ code, manifest, startExecution, timeZone, setTimer, handlers },
      getFiles: (settings) => shareFiles(options.files ?? {}, settings),
      now: options.now,
      onServiceCall: () => this.#count('serviceCalls', 1),
      onEnd: (context) => {
        this.#endedAt = Math.max(this.#endedAt, now() + context.aheadMs);
        return this.#spreadsheets.commit(context);
      },
    });
  }

  get usage(): Usage {
    return this.#usage;
  }

  /** Menus added by scripts. A menu replaces an earlier one with the same caption. */
  get menus(): readonly Menu[] {
    return this.#menus;
  }

  /** Current installable triggers. Pass them to a new host to keep them. */
  get triggers(): readonly TriggerData[] {
    return this.#triggers.all;
  }

  /** Current property stores. Pass them to a new host to keep them. */
  get properties(): PropertyStores {
    return this.#properties.stores;
  }

  /** Current items of CacheService. Pass them to a new host to keep them. */
  get caches(): CacheStores {
    return this.#caches.stores;
  }

  /** The workbook with all writes applied. Throws if the option was a function. */
  get workbook(): Workbook {
    return this.#spreadsheets.workbook;
  }

  /**
   * Evaluates a custom function. If the setting `reusesResults` is true, successful results are kept by name and arguments. An
   * error thrown by the script is a result. Rejects only if a thread breaks or the host is closed.
   */
  async evaluate(name: string, args: readonly Argument[], at: Cell): Promise<FormulaResult> {
    if (!this.#isPublic(name)) {
      const error = `Unknown function: '${name}'.`;
      return { error, tooltip: error };
    }
    const values = args.map(toFunctionArgument);
    const key = `${name} ${pack(values)}`;
    const { reusesResults } = this.#settings;
    const earlier = reusesResults ? this.#results.get(key) : undefined;
    if (earlier) return earlier;
    const outcome = await this.#start({
      ...WITH_CONSENT,
      ...{ kind: 'formula', functionName: name, args: values, cell: at },
    });
    const result = toFormulaResult(outcome);
    if (reusesResults && 'values' in result) this.#results.set(key, result);
    return result;
  }

  /** Runs a function for a menu or a simple trigger. Throws a HostError with the script's error. */
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

  /**
   * Calls a function as google.script.run does in a sidebar, and returns the success handler's value.
   * Rejects with a TypeError if the page's own call would throw, and with a HostError "ScriptError" whose message the
   * failure handler receives.
   */
  async call(name: string, args: readonly unknown[] = []): Promise<unknown> {
    const copied = copyArguments(args);
    if (!this.#isPublic(name)) throw new TypeError(`google.script.run.${name} is not a function`);
    return this.#limitPageCalls(async () => {
      checkAccounts(this.#settings);
      const outcome = await this.#start({
        kind: 'sidebar',
        functionName: name,
        args: copied,
        ...WITH_CONSENT,
      });
      if (outcome.done) return unpack(outcome.value);
      const { name: errorName, message } = outcome.failure;
      // The failure handler receives the script's error as one text.
      const text = errorName === '' ? message : `${errorName}: ${message}`;
      throw new HostError({ name: 'ScriptError', message: text });
    });
  }

  /**
   * Runs the spreadsheet's open triggers one after the other, each as its creator. An error of a trigger is a result.
   */
  runOpenTriggers(): Promise<readonly TriggerRun[]> {
    return this.#runTriggers('ON_OPEN', {});
  }

  /**
   * Runs the spreadsheet's edit triggers, then its change triggers, each as its creator: an edit is a change too. Only edits by
   * people run them: writes of scripts and through the Sheets API do not.
   */
  async runEditTriggers(range: Block): Promise<readonly TriggerRun[]> {
    const edits = await this.#runTriggers('ON_EDIT', { range: { ...range } });
    // Guide "Event objects": an edit is a change of the type EDIT, without its range.
    return [...edits, ...(await this.#runTriggers('ON_CHANGE', { changeType: 'EDIT' }))];
  }

  /** Runs the spreadsheet's change triggers, each as its creator, for a change by a person that is not an edit. */
  runChangeTriggers(changeType: ChangeType): Promise<readonly TriggerRun[]> {
    return this.#runTriggers('ON_CHANGE', { changeType });
  }

  async #runTriggers(type: TriggerData['event'], details: object): Promise<readonly TriggerRun[]> {
    const runs: TriggerRun[] = [];
    for (const trigger of this.#triggers.all.filter(({ event }) => event === type)) {
      runs.push({ trigger, error: await this.#runTrigger(trigger, details) });
    }
    return runs;
  }

  async #runTrigger(trigger: TriggerData, details: object): Promise<string | null> {
    const { functionName, user } = trigger;
    const startedAt = this.#now();
    const event = { ...details, triggerUid: trigger.uid, user: this.#settings.people.viewer };
    const refusal = this.#quotas.checkTriggerTime(user);
    if (refusal) return refusal;
    try {
      const outcome = await this.#start({
        ...{ kind: 'trigger', functionName, args: [event], user },
        ...WITH_CONSENT,
      });
      return outcome.done ? null : outcome.failure.message;
    } finally {
      this.#quotas.addTriggerTime(user, this.#now() - startedAt);
    }
  }

  /**
   * Sets or, with null, deletes a script property under Project Settings → Script Properties. Throws for people without
   * edit access to the Apps Script project.
   */
  editScriptProperty(user: string, name: string, value: string | null): void {
    this.#properties.editScriptProperty(user, name, value);
  }

  /** Clears the cached formula results. */
  clearResults(): void {
    this.#results.clear();
  }

  /** Clears CacheService, as Google may do at any time. */
  clearCaches(): void {
    this.#caches.clear();
  }

  /** Changes the users or the formulas' access to the document. */
  updateSettings(settings: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...settings };
  }

  close(): void {
    this.#runner.close();
  }

  async #start(request: ExecutionRequest): Promise<Outcome> {
    const context = this.#createContext(request);
    const failure = this.#runner.checkConcurrency(context);
    if (failure) return { done: false, failure };
    this.#count('executions', 1);
    if (request.kind === 'formula') this.#count('formulaRuns', 1);
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
      // Unverified for shared drives, which have no owner: the store is nobody's, so it is empty.
      user: isFormula ? (people.owner ?? '') : (user ?? people.viewer),
      hasDocument: this.#properties.hasDocument && (documentInFormulas || !isFormula),
      settings: this.#settings,
      aheadMs: Math.max(0, this.#endedAt - this.#now()),
      cleanups: new Set(),
    };
  }

  #count(counter: keyof Usage, by: number): void {
    this.#usage = { ...this.#usage, [counter]: this.#usage[counter] + by };
  }
}
