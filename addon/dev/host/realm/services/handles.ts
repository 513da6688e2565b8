// The sheets and ranges of the host that objects of the realm stand for.
import type { Area } from '../../sheets/workbook.ts';
import { createException } from '../bridge.ts';

/** An area of a sheet. */
export interface Block extends Area {
  readonly sheet: number;
}

/** Registers objects and returns what they stand for; throws for other values. */
function createRegistry<Handle>(argument: string) {
  const handles = new WeakMap<object, Handle>();
  return {
    set: (object: object, handle: Handle): void => void handles.set(object, handle),
    get: (object: unknown): Handle => {
      const handle = handles.get(Object(object));
      if (handle === undefined) throw createException(`Invalid argument: ${argument}`);
      return handle;
    },
  };
}

/** Sheets by id. */
export const sheetIds = createRegistry<number>('sheet');
export const rangeBlocks = createRegistry<Block>('range');

/** Parses a block from the host's result; throws if there is none. */
export function parseBlock(value: unknown): Block {
  const { sheet, row, column, rows, columns }: Record<string, unknown> = Object(value);
  if (typeof sheet !== 'number') throw new TypeError(`the result is no block: ${JSON.stringify(value)}`);
  return {
    sheet,
    row: Number(row),
    column: Number(column),
    rows: Number(rows),
    columns: Number(columns),
  };
}
