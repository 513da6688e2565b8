// Records for Undo that formulas became values.
import { getRange, type Sheet } from '../../sheet/area.ts';
import { fingerprint } from '../../sheet/entries.ts';
import { formulaAt, mapBlock, type SheetCells, toBlocks, valueAt } from '../../sheet/formula-cells.ts';
import type { FreezePlan } from '../../sheet/freeze-plan.ts';
import { recordCells } from './undo-log.ts';

/** Creates a recorder for a run. Undo sets the formulas again and empties the cells of their results. */
export const createFreezeRecorder =
  (runId: string, sheet: Sheet) =>
  (before: SheetCells, groups: FreezePlan['groups']): void => {
    const places = groups.flatMap(({ formulas, filled }) => [...formulas, ...filled]);
    const blocks = toBlocks(places).map((area) => ({
      area,
      snapshot: {
        values: mapBlock(area, () => ''),
        formulas: mapBlock(area, (place) => formulaAt(before, place)),
        formats: getRange(sheet, area).getNumberFormats(),
        links: [],
      },
      fingerprints: mapBlock(area, (place) => valueAt(before, place)).map(fingerprint),
    }));
    if (blocks.length > 0) recordCells(runId, sheet, blocks);
  };
