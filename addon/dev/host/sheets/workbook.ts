// Types of a spreadsheet: its data, and the journal of a script's changes.

/** A cell's value; '' if empty. */
export type CellValue = string | number | boolean | Date;

/** A rectangle of cells, 1-based. */
export interface Area {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

/** A span of a cell's text, from `start` to before `end`, with its link. */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly link: string | null;
}

/** A text with links. Runs are in order and do not overlap; text between them has no link. */
export interface RichText {
  readonly text: string;
  readonly runs: readonly Run[];
}

/** A protected range, or a whole sheet if `area` is missing. */
export interface ProtectionData {
  readonly area?: Area;
  /** Editors besides the spreadsheet's owner. */
  readonly editors: readonly string[];
  /** true: Sheets only warns; scripts' edits are not refused. */
  readonly warningOnly?: boolean;
}

/** A rule for the values of an area. */
export interface ValidationData {
  readonly area: Area;
  /** The values that the rule allows. */
  readonly values: readonly string[];
  /** true: Sheets only marks other values; false: it refuses them. */
  readonly allowInvalid: boolean;
}

/** A sheet. Layers of cells, such as `values`, start at A1 and may be ragged or shorter than the sheet. */
export interface SheetData {
  readonly id: number;
  readonly name: string;
  readonly values: readonly (readonly CellValue[])[];
  /** Formulas with their '='; '' or missing if a cell has none. */
  readonly formulas?: readonly (readonly string[])[];
  /** Displayed texts; formatted from the values if missing. */
  readonly display?: readonly (readonly string[])[];
  /** Number formats, '@' for plain text; '' or missing for the default. */
  readonly formats?: readonly (readonly string[])[];
  readonly notes?: readonly (readonly string[])[];
  /** Links in texts; null or missing if a cell has none. */
  readonly links?: readonly (readonly (readonly Run[] | null)[])[];
  /** Style values by style name (see `Write`), such as `fontWeight`; '' or missing for the default. */
  readonly styles?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Grid size; defaults to 1,000 × 26. */
  readonly maxRows?: number;
  readonly maxColumns?: number;
  readonly frozenRows?: number;
  readonly hidden?: boolean;
  /** The range of the sheet's filter, and the columns with a condition. */
  readonly filter?: Area | null;
  readonly filteredColumns?: readonly number[];
  /** Widths of columns in pixels by column number; others have Google's default. */
  readonly columnWidths?: Readonly<Record<number, number>>;
  readonly merges?: readonly Area[];
  readonly protections?: readonly ProtectionData[];
  readonly validations?: readonly ValidationData[];
}

/** A cell, 1-based as in Apps Script, with the sheet's name. */
export interface Cell {
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
}

/** A block of cells by its first one. */
export interface Place extends Cell {
  readonly rows?: number;
  readonly columns?: number;
}

export type MetadataVisibility = 'DOCUMENT' | 'PROJECT';

/** `at` is the number of the row or column, 1-based; `sheet` a sheet id. */
export type MetadataLocation =
  | { readonly type: 'SPREADSHEET' }
  | { readonly type: 'SHEET'; readonly sheet: number }
  | { readonly type: 'ROW' | 'COLUMN'; readonly sheet: number; readonly at: number };

export interface MetadataEntry {
  /** Unique in the spreadsheet. */
  readonly id: number;
  /** Several entries may have the same key. */
  readonly key: string;
  readonly value: string | null;
  readonly visibility: MetadataVisibility;
  readonly location: MetadataLocation;
  /** The entry belongs to another project: with the visibility PROJECT, it can't be seen. */
  readonly isForeign?: boolean;
}

/** A spreadsheet as an execution reads it. */
export interface Workbook {
  readonly id: string;
  readonly name: string;
  readonly locale?: string;
  readonly timeZone?: string;
  readonly sheets: readonly SheetData[];
  /** The selection; defaults to A1 of the first sheet. In a formula, the formula's cell is used instead. */
  readonly active?: Place;
  /** All selected ranges if there are several; `active` is the last. */
  readonly selected?: readonly Area[];
  readonly metadata?: readonly MetadataEntry[];
}

/** A rectangle of cells of a sheet. */
export interface Block extends Area {
  readonly sheet: number;
}

/** The first cell of the rows that a write has. */
type At = Omit<Block, 'rows' | 'columns'>;
type Texts = readonly (readonly string[])[];

type CellWrite =
  | (At & { readonly kind: 'values'; readonly values: readonly (readonly CellValue[])[] })
  | (At & { readonly kind: 'formulas'; readonly formulas: Texts })
  | (At & { readonly kind: 'richText'; readonly texts: readonly (readonly RichText[])[] })
  | (At & { readonly kind: 'formats'; readonly formats: Texts })
  | (At & { readonly kind: 'notes'; readonly notes: Texts })
  | (At & { readonly kind: 'styles'; readonly style: string; readonly styles: Texts })
  | (Block & { readonly kind: 'clear' | 'clearFormats' | 'select' });

/** Lines of a sheet. */
interface RowSpan {
  readonly sheet: number;
  readonly row: number;
  readonly count: number;
}

interface ColumnSpan {
  readonly sheet: number;
  readonly column: number;
  readonly count: number;
}

/** Changes of a sheet; `row` and `column` are the first affected line, `count` the number of lines. */
type SheetWrite =
  | { readonly kind: 'locale'; readonly locale: string }
  | { readonly kind: 'putMetadata'; readonly entry: MetadataEntry }
  | { readonly kind: 'removeMetadata'; readonly id: number }
  | { readonly kind: 'insertSheet'; readonly sheet: number; readonly name: string; readonly index: number }
  | { readonly kind: 'renameSheet'; readonly sheet: number; readonly name: string }
  | { readonly kind: 'deleteSheet'; readonly sheet: number }
  | {
      readonly kind: 'copySheet';
      readonly sheet: number;
      readonly copy: number;
      readonly name: string;
      readonly index: number;
    }
  | { readonly kind: 'sort'; readonly sheet: number; readonly area: Area; readonly order: readonly number[] }
  | { readonly kind: 'freeze'; readonly sheet: number; readonly rows: number }
  | (ColumnSpan & { readonly kind: 'columnWidths'; readonly width: number })
  | { readonly kind: 'filter'; readonly sheet: number; readonly area: Area | null }
  | ({ readonly kind: 'obstacles'; readonly sheet: number } & Pick<
      SheetData,
      'merges' | 'protections' | 'validations'
    >)
  | (RowSpan & { readonly kind: 'insertRows' | 'deleteRows' })
  | (ColumnSpan & { readonly kind: 'insertColumns' | 'deleteColumns' })
  | (RowSpan & { readonly kind: 'moveRows'; readonly to: number })
  | (ColumnSpan & { readonly kind: 'moveColumns'; readonly to: number });

/**
 * One change by a script; `sheet` is a sheet id, rows and columns are 1-based.
 * - `values` sets parsed values: a string is text and must not be parsed again. Removes formulas and links.
 * - `formulas` sets formulas with their '='; '' empties the cell. Removes links.
 * - `richText` sets texts, which must not be parsed again, with their links.
 * - `styles` sets one style of each cell: fontWeight or background; '' removes it.
 * - `locale` changes the spreadsheet's locale: separators in formulas change, values stay.
 * - `putMetadata` adds developer metadata, or replaces the entry with the same id.
 * - `filter` sets the range of the sheet's filter; null removes the filter.
 * - `obstacles` replaces the merged areas, the protections or the validation rules of the sheet.
 * - `clear` removes values, formulas and links; `clearFormats` removes number formats and styles.
 * - `select` also activates its sheet.
 * - `copySheet` copies a sheet without its developer metadata; `copy` is the id of the copy.
 * - `sort` reorders the rows of an area: `order` has the old position of each row, from 0.
 * - `moveColumns` moves columns to before column `to`, in numbers before the move; `moveRows` likewise, by people only.
 * - `insertRows` inserts empty rows before `row`, which may be one past the last; `insertColumns` likewise.
 */
export type Write = CellWrite | SheetWrite;

/** Changes in order, emitted by flush() and at the end of an execution. */
export type Journal = readonly Write[];
