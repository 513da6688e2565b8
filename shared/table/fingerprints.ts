// What was written into the rows of a table, as fingerprints by row id and column id: they tell which cells a person has changed.

/** Characters of the fingerprint of a row or its id, and of a cell. One in 4,096 changes of a cell is missed. */
const ROW = 4;
const CELL = 2;
/** A document has 500 KB for all tables. Larger ones keep only the fingerprint of each row. */
const MAX_CHARACTERS = 160_000;
/** A blank cell. Fingerprints don't contain it. */
const BLANK = '.'.repeat(CELL);
/** Versions of rows with the same id. */
const MAX_SAME = 8;

/** Returns at least {@link ROW} letters of `A-Za-z0-9_-` that depend on the cells. */
export type Fingerprint = (cells: readonly unknown[]) => string;

/** The fingerprint of each cell, in the order of the columns, or of all of them. */
type WrittenRow = readonly string[] | string;

export interface FingerprintedTable {
  columns: readonly string[];
  /** Id of the column that identifies rows; '' if any row with the same cells is the same. */
  idColumn: string;
  /** Indexes of the columns that count; those of a person and deleted ones don't. */
  counted: readonly number[];
  fingerprint: Fingerprint;
}

/** The rows of a table as they were written. Other cells were changed by hand. */
export class WrittenRows {
  readonly #table: FingerprintedTable;
  readonly #idColumn: string;
  /** Ids of the columns with fingerprints. */
  readonly #columns: string[];
  readonly #rows = new Map<string, WrittenRow[]>();

  /** @param text - from {@link format}; '' for none */
  constructor(text: string, table: FingerprintedTable) {
    this.#table = table;
    const [by = table.idColumn, columns = '', size = '', rows = ''] = text === '' ? [] : text.split('|');
    this.#idColumn = by;
    this.#columns = columns === '' ? [] : columns.split(',');
    const hasCells = Number(size) > 0;
    const length = ROW + (hasCells ? CELL * this.#columns.length : ROW);
    for (let at = 0; at + length <= rows.length; at += length) {
      const fingerprints = rows.slice(at + ROW, at + length);
      const cells = this.#columns.map((_, column) => fingerprints.slice(column * CELL, (column + 1) * CELL));
      this.#put(rows.slice(at, at + ROW), hasCells ? cells : fingerprints);
    }
  }

  #put(id: string, row: WrittenRow): void {
    const others = (this.#rows.get(id) ?? []).filter((each) => String(each) !== String(row));
    const same = [...others, row];
    this.#rows.set(id, this.#idColumn === '' ? same : same.slice(-MAX_SAME));
  }

  #fingerprint(cells: readonly unknown[], length: number): string {
    return this.#table.fingerprint(cells).slice(0, length);
  }

  #fingerprintId(line: readonly unknown[]): string {
    const at = this.#table.columns.indexOf(this.#idColumn);
    return this.#fingerprint(at < 0 ? [] : [String(line[at] ?? '').trim()], ROW);
  }

  #fingerprintCell(cell: unknown): string {
    return (cell ?? '') === '' ? BLANK : this.#fingerprint([cell], CELL);
  }

  #fingerprintRow(cells: readonly string[]): string {
    return this.#fingerprint([...cells, ...this.#columns.slice(cells.length).map(() => BLANK)], ROW);
  }

  #isSame(row: WrittenRow, line: readonly unknown[], at: readonly number[]): boolean {
    const { columns, counted } = this.#table;
    if (typeof row === 'string')
      return (
        row ===
        this.#fingerprintRow(this.#columns.map((id) => this.#fingerprintCell(line[columns.indexOf(id)])))
      );
    return counted.every((column) => {
      const index = this.#columns.indexOf(columns[column] ?? '');
      return !at.includes(column) || this.#fingerprintCell(line[column]) === (row[index] ?? BLANK);
    });
  }

  #find(line: readonly unknown[], at: readonly number[]): WrittenRow | undefined {
    return this.#rows.get(this.#fingerprintId(line))?.find((row) => this.#isSame(row, line, at));
  }

  /**
   * Tells whether cells of a row are as they were written.
   * @param line - the cells of the row, in the order of the table's columns
   * @param at - indexes of the columns to compare
   */
  matches(line: readonly unknown[], at: readonly number[]): boolean {
    return this.#find(line, at) !== undefined;
  }

  /** Tells whether a row with this id was written. @param line - the cells of a row, in the order of the table's columns */
  hasId(line: readonly unknown[]): boolean {
    return this.#idColumn !== '' && this.#rows.has(this.#fingerprintId(line));
  }

  /**
   * Records a row.
   * @param line - the cells of the row
   * @param at - indexes of the written columns; of the others, the last fingerprint of a row with this id stays
   */
  add(line: readonly unknown[], at: readonly number[]): void {
    const { columns, counted } = this.#table;
    const written = new Map(
      counted.flatMap((column) => (at.includes(column) ? [[columns[column] ?? '', line[column]]] : [])),
    );
    for (const id of written.keys()) if (!this.#columns.includes(id)) this.#columns.push(id);
    const id = this.#fingerprintId(line);
    const [last] = this.#idColumn === '' ? [] : (this.#rows.get(id) ?? []).slice(-1);
    const getLast = (index: number): string => (typeof last === 'string' ? BLANK : (last?.[index] ?? BLANK));
    this.#put(
      id,
      this.#columns.map((column, index) =>
        written.has(column) ? this.#fingerprintCell(written.get(column)) : getLast(index),
      ),
    );
  }

  /** Forgets all rows but these. */
  retain(lines: readonly (readonly unknown[])[]): void {
    const kept = lines.flatMap((line) => {
      const row = this.#find(line, this.#table.counted);
      return row === undefined ? [] : [{ id: this.#fingerprintId(line), row }];
    });
    this.#rows.clear();
    for (const { id, row } of kept) this.#put(id, row);
  }

  /** Formats the rows as a text in ASCII. */
  format(): string {
    const rows = [...this.#rows].flatMap(([id, same]) => same.map((row) => ({ id, row })));
    const isSmall =
      rows.length * (ROW + CELL * this.#columns.length) <= MAX_CHARACTERS &&
      rows.every(({ row }) => typeof row !== 'string');
    const texts = rows.slice(0, MAX_CHARACTERS / (2 * ROW)).map(({ id, row }) => {
      if (typeof row === 'string') return id + row;
      return (
        id + (isSmall ? this.#columns.map((_, at) => row[at] ?? BLANK).join('') : this.#fingerprintRow(row))
      );
    });
    return [this.#idColumn, this.#columns.join(), isSmall ? CELL : 0, texts.join('')].join('|');
  }
}
