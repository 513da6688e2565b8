// The samples of the initial workbook: formulas and a bulk order, which run when a person asks for them.
import type { ICellData, Nullable } from '@univerjs/core';
import { toAddress } from '../grid/cells.ts';
import type { Grid } from '../grid/grid.ts';
import { type Rows, setCells } from './sheet.ts';

export interface Sample {
  /** Univer's id of the sheet. */
  sheetId: string;
  /** `This sheet has 13 formulas.` */
  sentence: string;
  /** `Running them` */
  subject: string;
  /** `Run formulas` */
  action: string;
  /** The most that it costs. What the team already bought is free. */
  credits: number;
  /** Reads what it costs now, for free; undefined if that is not known. */
  readPrice?: (() => Promise<number | undefined>) | undefined;
  /** Tells whether it has run, or its cells hold something else. */
  isDone: () => boolean;
  /** Resolves when it has ended, also without success. */
  run: () => Promise<void>;
}

/**
 * Creates the sample of a sheet whose formulas are entered when they run.
 * @param cells - at least one formula, or none if there are no free examples
 * @param credits - the most that the formulas cost
 */
export function createFormulaSample(
  grid: Grid,
  sheetId: string,
  cells: Rows,
  credits: number,
  readPrice?: Sample['readPrice'],
): Sample[] {
  const places = Object.entries(cells).flatMap(([row, columns]) =>
    Object.keys(columns).map((column) => [Number(row), Number(column)] as const),
  );
  const [first] = places;
  if (first === undefined) return [];
  const count = places.filter(([row, column]) => cells[row]?.[column]?.f !== undefined).length;
  const isFilled = (cell: Nullable<ICellData>): boolean => Boolean(cell?.f || cell?.v);
  return [
    {
      sheetId,
      sentence: `This sheet has ${count} ${count === 1 ? 'formula' : 'formulas'}.`,
      subject: count === 1 ? 'Running it' : 'Running them',
      action: count === 1 ? 'Run formula' : 'Run formulas',
      credits,
      readPrice,
      isDone: () => {
        const sheet = grid.workbook.getSheetBySheetId(sheetId);
        return places.some(([row, column]) => isFilled(sheet?.getCellRaw(row, column)));
      },
      run: async () => {
        setCells(grid, sheetId, cells);
        // Shows an example in the formula bar.
        const opened = grid.api.getActiveWorkbook()?.getSheetBySheetId(sheetId);
        opened?.getRange(toAddress(...first)).activate();
      },
    },
  ];
}
