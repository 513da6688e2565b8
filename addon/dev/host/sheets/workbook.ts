// The types of a spreadsheet: its data as the host reads it, and the journal of what a script changed.

/** What a cell holds. An empty cell is ''. */
export type CellValue = string | number | boolean | Date;

/** A rectangle of cells, 1-based. */
export interface Area {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

/** A stretch of a cell's text, from `start` to before `end`; `link` is where a click on it goes. */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly link: string | null;
}

/** A text with links. Its runs are in order and do not overlap; what lies between them has no link. */
export interface RichText {
  readonly text: string;
  readonly runs: readonly Run[];
}

/** A protected range, or a whole sheet where `area` is missing. */
export interface ProtectionData {
  readonly area?: Area;
  /** Who may edit it beside the spreadsheet's owner. */
  readonly editors: readonly string[];
  readonly description?: string;
  /** true: whoever edits it is only warned; no edit of a script is refused. */
  readonly warningOnly?: boolean;
  /** For a sheet: what in it is not protected. */
  readonly except?: readonly Area[];
}

/** A sheet of the workbook. Layers of cells, such as `values`, start at A1 and may be ragged or shorter than the sheet. */
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
  readonly notes?: readonly (readonly string[])[];
  /** The links in texts; null or missing where a cell has none. */
  readonly links?: readonly (readonly (readonly Run[] | null)[])[];
  /** Looks by style (see `Write`), such as `fontWeight`; '' or missing where a cell has none of its own. */
  readonly styles?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Size of the grid; 1,000 × 26 unless told. */
  readonly maxRows?: number;
  readonly maxColumns?: number;
  readonly frozenRows?: number;
  readonly frozenColumns?: number;
  /** true: the sheet itself is hidden. */
  readonly hidden?: boolean;
  /** Numbers of rows and columns that someone hid, and of rows that the filter hides. */
  readonly hiddenRows?: readonly number[];
  readonly hiddenColumns?: readonly number[];
  readonly filteredRows?: readonly number[];
  /** What the sheet's filter covers. */
  readonly filter?: Area | null;
  readonly merges?: readonly Area[];
  readonly protections?: readonly ProtectionData[];
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
  /** All selected ranges, where there are several: `active` is the last of them. */
  readonly selected?: readonly Area[];
}

interface Block {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
}

interface Sized extends Block {
  readonly rows: number;
  readonly columns: number;
}

/** Writes of cells. */
type CellWrite =
  | (Block & { readonly kind: 'values'; readonly values: readonly (readonly CellValue[])[] })
  | (Block & { readonly kind: 'formulas'; readonly formulas: readonly (readonly string[])[] })
  | (Block & { readonly kind: 'richText'; readonly texts: readonly (readonly RichText[])[] })
  | (Block & { readonly kind: 'formats'; readonly formats: readonly (readonly string[])[] })
  | (Block & { readonly kind: 'notes'; readonly notes: readonly (readonly string[])[] })
  | (Block & {
      readonly kind: 'styles';
      readonly style: string;
      readonly styles: readonly (readonly string[])[];
    })
  | (Sized & { readonly kind: 'style'; readonly style: string; readonly value: string })
  | (Sized & { readonly kind: 'clear' | 'clearFormats' | 'clearNotes' | 'select' });

/** Writes of a sheet as a whole; `row` and `column` name the first one concerned, `count` how many there are. */
type SheetWrite =
  | { readonly kind: 'insertSheet'; readonly sheet: number; readonly name: string; readonly index: number }
  | { readonly kind: 'renameSheet'; readonly sheet: number; readonly name: string }
  | { readonly kind: 'deleteSheet'; readonly sheet: number }
  | { readonly kind: 'freeze'; readonly sheet: number; readonly rows: number }
  | { readonly kind: 'freezeColumns'; readonly sheet: number; readonly columns: number }
  | {
      readonly kind: 'insertRows' | 'deleteRows';
      readonly sheet: number;
      readonly row: number;
      readonly count: number;
    }
  | {
      readonly kind: 'insertColumns' | 'deleteColumns';
      readonly sheet: number;
      readonly column: number;
      readonly count: number;
    };

/**
 * One change that a script made; `sheet` is a sheet's id, rows and columns are 1-based.
 * - `values` holds what the cells hold after Sheets has read the entry: a string in it is text and must not be read again.
 *   It takes a cell's formula and links away, as `formulas` does.
 * - `formulas` holds formulas with their '='; '' empties the cell.
 * - `richText` sets texts, which must not be read again, with their links.
 * - `style` gives a block one look: `style` is fontWeight, fontStyle, fontLine, fontColor, fontSize, background,
 *   horizontalAlignment, verticalAlignment, wrap (true or false) or wrapStrategy (WRAP, OVERFLOW, CLIP); '' takes it away.
 *   `styles` does so cell by cell.
 * - `clear` empties cells of values, formulas and links; `clearFormats` takes number formats and looks away.
 * - `select` also makes its sheet the active one.
 * - `insertRows` puts empty rows before `row`, which may be one past the last; `insertColumns` likewise.
 */
export type Write = CellWrite | SheetWrite;

/** Changes in the order in which they were made, handed over at flush() and at the end of an execution. */
export type Journal = readonly Write[];
