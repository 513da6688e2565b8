// Developer metadata in the grid: it moves with its column, is deleted and restored with it, and survives a reload.
import {
  Direction,
  ICommandService,
  type IRange,
  IUniverInstanceService,
  type IWorkbookData,
  LocaleType,
  RANGE_TYPE,
  UndoCommand,
  Univer,
  UniverInstanceType,
  type Workbook,
} from '@univerjs/core';
import {
  CopySheetCommand,
  InsertColByRangeCommand,
  MoveColsCommand,
  RemoveColByRangeCommand,
  UniverFormulaEnginePlugin,
  UniverSheetsPlugin,
} from '@univerjs/preset-sheets-core';
import enUS from '@univerjs/preset-sheets-core/locales/en-US';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MetadataEntry } from '../../../../addon/dev/host/types.ts';
import { getSheetNumber } from '../../../../addon/dev/playground/grid/cells.ts';
import {
  putMetadata,
  readMetadata,
  removeMetadata,
} from '../../../../addon/dev/playground/grid/developer-metadata.ts';
import type { GridCore } from '../../../../addon/dev/playground/grid/grid.ts';

let grid: GridCore;
let sheet: number;

function open(content: Partial<IWorkbookData>): GridCore {
  const univer = new Univer({ locale: LocaleType.EN_US, locales: { [LocaleType.EN_US]: enUS } });
  univer.registerPlugin(UniverFormulaEnginePlugin);
  univer.registerPlugin(UniverSheetsPlugin);
  const workbook = univer.createUnit<IWorkbookData, Workbook>(UniverInstanceType.UNIVER_SHEET, content);
  const injector = univer.__getInjector();
  // Undo concerns the workbook in use.
  injector.get(IUniverInstanceService).focusUnit(workbook.getUnitId());
  return { injector, workbook };
}

beforeEach(() => {
  grid = open({
    id: 'book',
    sheetOrder: ['s'],
    sheets: { s: { id: 's', name: 'S', rowCount: 9, columnCount: 6 } },
  });
  sheet = getSheetNumber('s');
});

const put = (id: number, location: MetadataEntry['location']): void =>
  putMetadata(grid, { id, key: `k${id}`, value: null, visibility: 'DOCUMENT', location });
const run = async ({ id }: { id: string }, params: object = {}): Promise<void> => {
  const target = { unitId: 'book', subUnitId: 's', ...params };
  expect(await grid.injector.get(ICommandService).executeCommand(id, target)).toBe(true);
};
/** Columns by number, from 0. */
const toColumns = (startColumn: number, endColumn = startColumn): IRange => ({
  ...{ startRow: 0, endRow: 8, startColumn, endColumn },
  rangeType: RANGE_TYPE.COLUMN,
});
const listColumns = (): (number | string)[] =>
  readMetadata(grid.workbook).map(({ location }) => ('at' in location ? location.at : location.type));

describe('metadata of a column', () => {
  beforeEach(() => put(1, { type: 'COLUMN', sheet, at: 3 }));

  it('moves with inserted, deleted and moved columns', async () => {
    await run(InsertColByRangeCommand, { range: toColumns(1, 2), direction: Direction.LEFT });
    expect(listColumns()).toEqual([5]);
    await run(RemoveColByRangeCommand, { range: toColumns(0) });
    expect(listColumns()).toEqual([4]);
    await run(MoveColsCommand, { range: toColumns(3), fromRange: toColumns(3), toRange: toColumns(0) });
    expect(listColumns()).toEqual([1]);
  });

  it('goes with its column, and comes back when the deletion is undone', async () => {
    await run(RemoveColByRangeCommand, { range: toColumns(2) });
    expect(listColumns()).toEqual([]);
    await run(UndoCommand);
    expect(listColumns()).toEqual([3]);
  });

  it('is copied with its sheet, under another id, which stays', async () => {
    await run(CopySheetCommand);
    const entries = readMetadata(grid.workbook);
    expect(entries.map(({ id }) => id)).toEqual([1, expect.any(Number)]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
    expect(readMetadata(grid.workbook)).toEqual(entries);
  });

  it('is saved with the workbook', () => {
    const saved = structuredClone(grid.workbook.save());
    expect(readMetadata(open({ ...saved, id: 'again' }).workbook)).toEqual(readMetadata(grid.workbook));
  });
});

it('is on rows, sheets and the workbook, changes its place, and is removed', () => {
  put(1, { type: 'ROW', sheet, at: 2 });
  put(2, { type: 'SHEET', sheet });
  put(3, { type: 'SPREADSHEET' });
  expect(listColumns()).toEqual(['SPREADSHEET', 'SHEET', 2]);
  put(2, { type: 'COLUMN', sheet, at: 4 });
  removeMetadata(grid, 1);
  expect(listColumns()).toEqual(['SPREADSHEET', 4]);
});
