// The types between the emulated Apps Script host and those who use it: tests and the playground.
import type { Execution } from './protocol.ts';

/** What a cell holds. An empty cell is ''. */
export type CellValue = string | number | boolean | Date;

/** What a formula passes: a single value, a range (rows of cells), or nothing where an argument was left out. */
export type Argument = CellValue | null | undefined | readonly (readonly CellValue[])[];

/**
 * How a function is called, which decides what it may do:
 * `formula` a custom function in a cell, `menu` a click of someone who gave consent,
 * `open` the simple trigger that runs when the document opens.
 */
export type Kind = 'formula' | 'menu' | 'open';

/** appsscript.json, as far as the host enforces it. */
export interface Manifest {
  readonly timeZone?: string;
  readonly oauthScopes?: readonly string[];
  readonly urlFetchWhitelist?: readonly string[];
  readonly [other: string]: unknown;
}

/** A request on its way out of UrlFetchApp. Header names are as the script wrote them. */
export interface HostRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly followRedirects: boolean;
  readonly validateCertificates: boolean;
}

/** What came back; a header that was sent more than once is a list. Names of headers reach the script as spelt here. */
export interface HostResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array;
}

/**
 * The network edge. A rejection means that no answer came: the script sees "Address unavailable", or what an Exception
 * says in Google's words.
 */
export type HostFetch = (request: HostRequest) => Promise<HostResponse>;

/** A sheet of the workbook. `values`, `formulas` and `display` start at A1 and may be ragged or shorter than the sheet. */
export interface SheetData {
  readonly id: number;
  readonly name: string;
  readonly values: readonly (readonly CellValue[])[];
  /** Formulas with their '='; '' or missing where a cell has none. */
  readonly formulas?: readonly (readonly string[])[];
  /** What the cells show; made from the values where missing. */
  readonly display?: readonly (readonly string[])[];
  /** Number formats, '@' for plain text; '' or missing where a cell has none. */
  readonly formats?: readonly (readonly string[])[];
  /** Size of the grid; 1,000 × 26 unless told. */
  readonly maxRows?: number;
  readonly maxColumns?: number;
  readonly frozenRows?: number;
}

/** A block of cells, 1-based as in Apps Script, by the sheet's name. */
export interface Place {
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
  readonly rows?: number;
  readonly columns?: number;
}

/** The spreadsheet as it stands when an execution first looks at it. */
export interface Workbook {
  readonly id: string;
  readonly name: string;
  readonly locale?: string;
  readonly timeZone?: string;
  readonly sheets: readonly SheetData[];
  /** The selection; A1 of the first sheet unless told. In a formula the formula's own cell counts instead. */
  readonly active?: Place;
}

interface Block {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
}

/**
 * One change that a script made; `sheet` is a sheet's id, rows and columns are 1-based.
 * `values` holds what the cells hold after Sheets has read the entry: a string in it is text and must not be read again.
 * `formulas` holds formulas with their '='; '' empties the cell.
 */
export type Write =
  | (Block & { readonly kind: 'values'; readonly values: readonly (readonly CellValue[])[] })
  | (Block & { readonly kind: 'formulas'; readonly formulas: readonly (readonly string[])[] })
  | (Block & { readonly kind: 'formats'; readonly formats: readonly (readonly string[])[] })
  | (Block & { readonly kind: 'clear'; readonly rows: number; readonly columns: number })
  | (Block & {
      readonly kind: 'style';
      readonly rows: number;
      readonly columns: number;
      readonly style: string;
      readonly value: string;
    })
  | (Block & { readonly kind: 'select'; readonly rows: number; readonly columns: number })
  | { readonly kind: 'insertSheet'; readonly sheet: number; readonly name: string; readonly index: number }
  | { readonly kind: 'freeze'; readonly sheet: number; readonly rows: number };

/** Changes in the order in which they were made, handed over at flush() and at the end of an execution. */
export type Journal = readonly Write[];

/** An entry of a menu. */
export type MenuItem =
  | { readonly kind: 'item'; readonly caption: string; readonly functionName: string }
  | { readonly kind: 'separator' }
  | { readonly kind: 'menu'; readonly menu: Menu };

/** A menu that a script added with addToUi(); `addon` where it came from createAddonMenu(). */
export interface Menu {
  readonly caption: string;
  readonly addon: boolean;
  readonly items: readonly MenuItem[];
}

/** Something that a script shows to the person in front of the spreadsheet. */
export type UiRequest =
  | { readonly kind: 'menu'; readonly menu: Menu }
  | { readonly kind: 'alert'; readonly title: string; readonly prompt: string; readonly buttons: ButtonSet }
  | { readonly kind: 'prompt'; readonly title: string; readonly prompt: string; readonly buttons: ButtonSet }
  | { readonly kind: 'toast'; readonly title: string; readonly message: string; readonly seconds: number };

export type ButtonSet = 'OK' | 'OK_CANCEL' | 'YES_NO' | 'YES_NO_CANCEL';
export type Button = 'OK' | 'CANCEL' | 'YES' | 'NO' | 'CLOSE';

/** The person's answer to an alert or a prompt; menus and toasts need none. */
export interface UiAnswer {
  readonly button: Button;
  readonly text?: string;
}

/** A line that a script wrote with console or Logger. */
export interface LogLine {
  readonly level: 'log' | 'info' | 'warn' | 'error';
  readonly text: string;
  readonly functionName: string;
  readonly at: number;
}

/** The three kinds of property store; `user` holds a store per e-mail address. */
export interface PropertyStores {
  readonly script?: Readonly<Record<string, string>>;
  /** null: there is no document, `getDocumentProperties()` answers null. */
  readonly document?: Readonly<Record<string, string>> | null;
  readonly user?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** E-mail addresses of the spreadsheet's owner and of who has it open. */
export interface People {
  readonly owner: string;
  readonly viewer: string;
}

/** What may change while a host lives. */
export interface Settings {
  readonly people: People;
  /** false: formulas get null from `getDocumentProperties()`, menus still get the store. */
  readonly documentInFormulas: boolean;
}

export interface HostOptions {
  /** The text of the built Code.js. */
  readonly code: string;
  readonly manifest: Manifest;
  readonly fetch: HostFetch;
  /** Makes a realm in another thread: `startNodeExecution` or `() => startBrowserExecution(url)`. */
  readonly startExecution: () => Execution;
  readonly people: People;
  /**
   * Data: the host keeps a copy and applies writes to it. A function: asked anew by each execution that looks,
   * and who passed it applies the writes that `onWrites` hands over.
   */
  readonly workbook: Workbook | (() => Workbook | Promise<Workbook>);
  readonly properties?: PropertyStores;
  readonly documentInFormulas?: boolean;
  /** The clock, in ms; the machine's unless told. An injected clock is also what `Date` reads inside scripts. */
  readonly now?: () => number;
  /** Runs something later and gives back how to call it off; setTimeout unless told. */
  readonly after?: (ms: number, run: () => void) => () => void;
  /** Makes ids for Utilities.getUuid(); crypto.randomUUID unless told. */
  readonly uuid?: () => string;
  /** Called with each batch of writes; the script goes on when it resolves. */
  readonly onWrites?: (journal: Journal) => void | Promise<void>;
  /** Answers dialogs; without it every alert and prompt is closed unanswered. */
  readonly onUi?: (request: UiRequest) => UiAnswer | undefined | Promise<UiAnswer | undefined>;
  readonly onLog?: (line: LogLine) => void;
}

/** What a formula leaves in its cell and, where it is an array, in the cells beside and below it. */
export type FormulaResult =
  | { readonly values: readonly (readonly CellValue[])[] }
  /** `error` is the bare message; `tooltip` is what Sheets shows over `#ERROR!`. */
  | { readonly error: string; readonly tooltip: string };

/** How many times things happened since the host was made. */
export interface Usage {
  /** Requests through UrlFetchApp that the quota counted. */
  readonly urlFetch: number;
  /** Executions of any kind. */
  readonly executions: number;
  /** Executions of formulas: answers from the memo do not count. */
  readonly formulaRuns: number;
}

/** A parameter as its JSDoc tells it. */
export interface FunctionParameter {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly optional: boolean;
}

/** A top-level function of Code.js. */
export interface PublicFunction {
  readonly name: string;
  readonly description: string;
  readonly params: readonly FunctionParameter[];
  readonly returns: string;
  /** Has `@customfunction`: Sheets offers it while someone types a formula. */
  readonly custom: boolean;
}

/** Where a formula stands. */
export interface Cell {
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
}

/** What the class `Host` offers. */
export interface HostApi {
  /** The public functions of Code.js, for autocomplete. */
  readonly functions: readonly PublicFunction[];
  readonly usage: Usage;
  /** Menus that the last run of kind `open` or `menu` added. */
  readonly menus: readonly Menu[];
  /** The property stores as they are now, to keep and to pass in again. */
  readonly properties: PropertyStores;
  /** The workbook, writes applied; throws where the option was a function. */
  readonly workbook: Workbook;
  /**
   * Evaluates a custom function as Sheets does, answered from the memo where name and arguments are the same;
   * a failure is not kept there.
   * What the script throws is a result; it rejects only where a thread breaks or the host is closed.
   */
  evaluate(name: string, args: readonly Argument[], at: Cell): Promise<FormulaResult>;
  /** Runs a function for a menu or a trigger; gives what it returned, or throws a HostError with what it threw. */
  run(
    name: string,
    args?: readonly unknown[],
    kind?: 'menu' | 'open',
    options?: RunOptions,
  ): Promise<unknown>;
  /** Forgets the memo of formulas: all of it, one function's, or what one function gave for these arguments. */
  forget(name?: string, args?: readonly Argument[]): void;
  /** Changes who looks and what formulas may see. */
  change(settings: Partial<Settings>): void;
  /** Ends all executions. */
  close(): void;
}

export interface RunOptions {
  /** For kind `open`: NONE before anyone used the add-on in this document, LIMITED after (the default). */
  readonly authMode?: 'NONE' | 'LIMITED';
}
