// Lists the formulas of the spreadsheet with their states and prices; reruns, freezes and shows them.

import { toA1 } from '../../shared/table/columns.ts';
import { openCache } from '../client/cache.ts';
import { confirmFormulas, listSheetsWithoutSpending, setFormulaSpending } from '../client/spending.ts';
import { createError } from '../lib/addon-error.ts';
import { type CellPosition, findSheet, getRange, type Sheet } from '../sheet/area.ts';
import { formulaAt, isAddonFormula, readSheet, toBlocks } from '../sheet/formula-cells.ts';
import { type FormulaGroup, groupFormulas, isAsking, readGroupState } from '../sheet/formula-groups.ts';
import { findFilledArea, listFilledColumns } from '../sheet/formula-results.ts';
import { countSingleLookups } from '../sheet/formula-runs.ts';
import { type FreezeResult, freezeFormulas } from '../sheet/freeze-formulas.ts';
import { withSheetErrors } from '../sheet/guard.ts';
import { refreshFormulas, setRefresh } from '../sheet/refresh-formulas.ts';
import { createPriceChangedError, digestPlan } from '../tables/rows/overwrite.ts';
import { createFreezeRecorder, startUndoLog } from '../tables/runs/undo-log.ts';
import type { FormulaList, FormulaSheet, Payload, RerunPlan } from './api/index.ts';
import { createKeyReader, findHighestPrice, type ReadSheet } from './formula-maximums.ts';
import { areFree, findLookupStates, findPayer, findPrice } from './formula-prices.ts';

/** Each sheet takes six calls of Google. */
const MAX_SHEETS = 30;
const CHANGED = 'These formulas have changed. Check the list again.';

type Target = Payload<'freezeFormulas'>;

/** Reads a sheet; undefined if it has no formula of the add-on. */
function readFormulaSheet(sheet: Sheet): ReadSheet | undefined {
  const range = sheet.getDataRange();
  const formulas = range.getFormulas();
  if (!formulas.some((row) => row.some(isAddonFormula))) return undefined;
  const values = range.getValues();
  const cells = { values, formulas, rows: values.length, columns: values[0]?.length ?? 0 };
  return { sheet, name: sheet.getName(), cells };
}

/** Lists the formulas of the spreadsheet. The number of calls of Google does not depend on the number of formulas. */
export function listFormulas(): FormulaList {
  const active = SpreadsheetApp.getActiveSheet().getSheetId();
  const sheets = SpreadsheetApp.getActiveSpreadsheet()
    .getSheets()
    .map((sheet) => ({ sheet, id: sheet.getSheetId() }))
    .sort((a, b) => Number(b.id === active) - Number(a.id === active));
  const off = listSheetsWithoutSpending();
  const read = sheets.slice(0, MAX_SHEETS).flatMap(({ sheet, id }) => {
    const own = readFormulaSheet(sheet);
    if (own === undefined) return [];
    const weights = sheet.getDataRange().getFontWeights();
    const isBold = ({ row, column }: CellPosition): boolean => weights[row - 1]?.[column - 1] === 'bold';
    return [{ own, id, groups: groupFormulas(own.cells), isBold }];
  });
  const readKeys = createKeyReader(read.map(({ own }) => own));
  const lookups = findLookupStates(
    read.flatMap(({ own, groups }) => groups.map((group) => ({ own, group }))),
    readKeys,
  );
  const connection = findPayer();
  const lastError = connection && openCache(connection).getLastError();
  return {
    sheets: read.map(
      ({ own, id, groups, isBold }): FormulaSheet => ({
        sheetId: id,
        sheet: own.name,
        spending: !off.includes(String(id)),
        single: countSingleLookups(own.cells.formulas, own.name),
        entries: groups.map((group) => {
          const { failed, ...state } = readGroupState(own.cells, group);
          const { credits = areFree(own, group.places) ? 0 : null, ...known } = lookups.get(group) ?? {};
          // What others cost is estimated before another run.
          const isPreview = credits === null && group.name === 'CDAPI_PREVIEW';
          const most = isPreview ? findHighestPrice(own, group.places, readKeys) : null;
          return {
            name: group.name,
            column: group.column,
            fills: listFilledColumns(own.cells, group, isBold),
            range: toA1(findFilledArea(own.cells, group)),
            formulas: group.places.length,
            ...state,
            failed: failed.length,
            credits,
            ...(most === null ? {} : { most }),
            ...known,
          };
        }),
      }),
    ),
    unread: Math.max(0, sheets.length - MAX_SHEETS),
    ...(lastError && {
      lastError: { at: new Date(lastError.at).toISOString(), message: lastError.message },
    }),
  };
}

/** Finds a group again. @throws AddonError `gone` if its formulas no longer exist */
function requireGroup({ sheetId, name, column }: Target): { own: ReadSheet; group: FormulaGroup } {
  const sheet = findSheet(sheetId);
  const cells = sheet && readSheet(sheet);
  const group = cells && groupFormulas(cells).find((each) => each.name === name && each.column === column);
  if (sheet === undefined || cells === undefined || group === undefined) throw createError('gone', CHANGED);
  return { own: { sheet, name: sheet.getName(), cells }, group };
}

function findRerun({ all, ...target }: Payload<'planRerun'>): {
  plan: RerunPlan;
  own: ReadSheet;
  places: CellPosition[];
} {
  const { own, group } = requireGroup(target);
  const places = all === true ? group.places : readGroupState(own.cells, group).failed;
  const credits = findPrice(own, places);
  const cells = places.flatMap((place) => [place.row, formulaAt(own.cells, place)]);
  const digest = digestPlan([target.sheetId, target.column, credits === null, ...cells]);
  return {
    plan: { formulas: places.length, credits, approval: { credits: credits ?? 0, digest } },
    own,
    places,
  };
}

/** Prices another run of the failed formulas of a group, or of all. Free. */
export const planRerun = (target: Payload<'planRerun'>): RerunPlan => findRerun(target).plan;

/**
 * Confirms the prices of formulas that wait for it: their runs may spend as much without a question.
 * @param most - credits that the person has approved for all
 */
function confirmPrices(own: ReadSheet, places: readonly CellPosition[], most: number): void {
  const { cells, sheet } = own;
  const asking = places.filter((place) => isAsking(cells, place));
  if (asking.length === 0) return;
  const prices = asking.map((place): [string, number] => {
    const credits = asking.length === 1 ? most : (findPrice(own, [place]) ?? most);
    return [setRefresh(formulaAt(cells, place), 0), Math.min(most, credits)];
  });
  confirmFormulas(sheet.getSheetId(), new Map(prices));
}

/**
 * Reruns the failed formulas of a group, or all, at the approved price.
 * @throws AddonError `price_changed` if the formulas differ from the approved plan, or cost more
 */
export function rerunFormulas({ approval, ...target }: Payload<'rerunFormulas'>): { formulas: number } {
  const { plan, own, places } = findRerun(target);
  const { formulas, approval: now } = plan;
  if (formulas === 0) throw createError('gone', CHANGED);
  if (now.digest !== approval.digest || now.credits > approval.credits)
    throw createPriceChangedError({ rows: formulas, credits: now.credits });
  if (plan.credits !== null) confirmPrices(own, places, approval.credits);
  return { formulas: withSheetErrors(own.sheet, () => refreshFormulas(own.sheet, toBlocks(places))) };
}

/** Replaces the formulas of a group by their values. `runId` undoes it. */
export function freezeGroup(target: Target): FreezeResult & { runId: string } {
  const { own, group } = requireGroup(target);
  const runId = Utilities.getUuid();
  startUndoLog(runId, '', undefined);
  const result = withSheetErrors(own.sheet, () =>
    freezeFormulas(own.sheet, toBlocks(group.places), createFreezeRecorder(runId, own.sheet)),
  );
  return { ...result, runId };
}

export function showGroup(target: Target): void {
  const { own, group } = requireGroup(target);
  getRange(own.sheet, findFilledArea(own.cells, group)).activate();
}

export function setSpendingOfFormulas({ sheetId, on }: Payload<'setFormulaSpending'>): FormulaList {
  setFormulaSpending(sheetId, on);
  return listFormulas();
}
