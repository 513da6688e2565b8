// The rows of a table as the add-on wrote them. Other cells were changed by hand.
import { shortenUrl } from '../../../shared/table/columns.ts';
import { WrittenRows } from '../../../shared/table/prints.ts';
import { fingerprint } from '../../sheet/entries.ts';
import { findKeyColumn, type TableLocation } from '../locate.ts';
import { readPrints, savePrints, type TableRecord } from '../registry.ts';

/** The gateway writes whole URLs where the add-on writes short ones. */
const print = (cells: readonly unknown[]): string =>
  fingerprint(cells.map((cell) => (typeof cell === 'string' ? shortenUrl(cell) : cell)));

/** The rows of a table as they were written. */
export interface WrittenLog {
  /**
   * Tells whether cells of a row are as they were written.
   * @param line - the row, in the order of the table's columns
   * @param at - indexes of the columns to compare; a person's own and deleted ones don't count. Default: all
   */
  isOurs: (line: readonly unknown[], at?: readonly number[]) => boolean;
  /** Records a row. @param at - indexes of the written columns. Default: all */
  add: (line: readonly unknown[], at?: readonly number[]) => void;
  /** Forgets all rows but these. */
  retain: (lines: readonly (readonly unknown[])[]) => void;
  clear: () => void;
  save: () => void;
}

/** Opens the log of a table. It is kept in memory until it is saved. */
export function openWrittenLog(table: TableRecord, location: TableLocation): WrittenLog {
  const ids = table.columns.map(({ id }) => id);
  const rows = new WrittenRows(readPrints(table.id), findKeyColumn(table)?.id ?? '', print);
  const own = table.columns.flatMap(({ isOwn }, at) =>
    isOwn === true || location.columns[at] === undefined ? [] : [at],
  );
  const select = (at: readonly number[] = own): number[] => own.filter((column) => at.includes(column));
  return {
    isOurs: (line, at) => rows.matches(ids, line, select(at)),
    add: (line, at) => rows.add(ids, line, select(at)),
    retain: (lines) => rows.retain(ids, lines, own),
    clear: () => rows.clear(),
    save: () => savePrints(table.id, rows.format()),
  };
}
