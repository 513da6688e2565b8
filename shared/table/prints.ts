// What was written into the rows of a table, as prints by row id and column id: they tell which cells a person has changed.

/** Characters of the print of a row or its id, and of a cell. One in 4,096 changes of a cell is missed. */
const ROW = 4;
const CELL = 2;
/** A document has 500 KB for all tables. Larger ones keep only the print of each row. */
const MAX_CHARACTERS = 160_000;
/** A blank cell. Prints don't contain it. */
const BLANK = '.'.repeat(CELL);
/** Versions of rows with the same id. */
const MAX_SAME = 8;

/** Returns at least {@link ROW} letters of `A-Za-z0-9_-` that depend on the cells. */
export type Print = (cells: readonly unknown[]) => string;

/** The print of each cell, in the order of the columns, or of all of them. */
type WrittenRow = readonly string[] | string;

/** The rows of a table as they were written. */
export class WrittenRows {
  readonly #print: Print;
  readonly #idColumn: string;
  readonly #columns: string[];
  readonly #rows = new Map<string, WrittenRow[]>();

  /**
   * @param text - from {@link format}; '' for none
   * @param idColumn - id of the column that identifies rows; '' if any row with the same cells is the same
   */
  constructor(text: string, idColumn: string, print: Print) {
    this.#print = print;
    const [by = idColumn, columns = '', size = '', rows = ''] = text === '' ? [] : text.split('|');
    this.#idColumn = by;
    this.#columns = columns === '' ? [] : columns.split(',');
    const hasCells = Number(size) > 0;
    const length = ROW + (hasCells ? CELL * this.#columns.length : ROW);
    for (let at = 0; at + length <= rows.length; at += length) {
      const prints = rows.slice(at + ROW, at + length);
      const cells = this.#columns.map((_, column) => prints.slice(column * CELL, (column + 1) * CELL));
      this.#put(rows.slice(at, at + ROW), hasCells ? cells : prints);
    }
  }

  clear(): void {
    this.#rows.clear();
  }

  #put(id: string, row: WrittenRow): void {
    const others = (this.#rows.get(id) ?? []).filter((each) => String(each) !== String(row));
    const same = [...others, row];
    this.#rows.set(id, this.#idColumn === '' ? same : same.slice(-MAX_SAME));
  }

  #printId(columns: readonly string[], line: readonly unknown[]): string {
    const at = columns.indexOf(this.#idColumn);
    return this.#print(at < 0 ? [] : [String(line[at] ?? '').trim()]).slice(0, ROW);
  }

  #printCell(cell: unknown): string {
    return (cell ?? '') === '' ? BLANK : this.#print([cell]).slice(0, CELL);
  }

  #printRow(cells: readonly string[]): string {
    return this.#print([...cells, ...this.#columns.slice(cells.length).map(() => BLANK)]).slice(0, ROW);
  }

  #isSame(
    row: WrittenRow,
    columns: readonly string[],
    line: readonly unknown[],
    at: readonly number[],
  ): boolean {
    if (typeof row !== 'string')
      return at.every((column) => {
        const index = this.#columns.indexOf(columns[column] ?? '');
        return this.#printCell(line[column]) === (row[index] ?? BLANK);
      });
    return row === this.#printRow(this.#columns.map((id) => this.#printCell(line[columns.indexOf(id)])));
  }

  #find(columns: readonly string[], line: readonly unknown[], at: readonly number[]): WrittenRow | undefined {
    const rows = this.#rows.get(this.#printId(columns, line)) ?? [];
    return rows.find((row) => this.#isSame(row, columns, line, at));
  }

  /** Tells whether cells of a row are as they were written. */
  matches(columns: readonly string[], line: readonly unknown[], at: readonly number[]): boolean {
    return this.#find(columns, line, at) !== undefined;
  }

  /**
   * Records a row.
   * @param at - indexes of the written columns; of the others, the last print of a row with this id stays
   */
  add(columns: readonly string[], line: readonly unknown[], at: readonly number[]): void {
    const written = new Map(at.map((column) => [columns[column] ?? '', line[column]]));
    for (const id of written.keys()) if (!this.#columns.includes(id)) this.#columns.push(id);
    const id = this.#printId(columns, line);
    const [last] = this.#idColumn === '' ? [] : (this.#rows.get(id) ?? []).slice(-1);
    const getLast = (index: number): string =>
      last === undefined || typeof last === 'string' ? BLANK : (last[index] ?? BLANK);
    this.#put(
      id,
      this.#columns.map((column, index) =>
        written.has(column) ? this.#printCell(written.get(column)) : getLast(index),
      ),
    );
  }

  /** Forgets all rows but those with these cells. */
  retain(columns: readonly string[], lines: readonly (readonly unknown[])[], at: readonly number[]): void {
    const kept = lines.flatMap((line) => {
      const row = this.#find(columns, line, at);
      return row === undefined ? [] : [{ id: this.#printId(columns, line), row }];
    });
    this.clear();
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
      return id + (isSmall ? this.#columns.map((_, at) => row[at] ?? BLANK).join('') : this.#printRow(row));
    });
    return [this.#idColumn, this.#columns.join(), isSmall ? CELL : 0, texts.join('')].join('|');
  }
}
