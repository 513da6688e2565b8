// The add-on's formulas in the grid: evaluated once by the host, "Loading…" meanwhile, then spilled.
import {
  type ICellData,
  type ICommandInfo,
  ICommandService,
  type Nullable,
  ObjectMatrix,
  type Workbook,
} from '@univerjs/core';
import {
  BaseFunction,
  type BaseValueObject,
  FunctionType,
  IDescriptionService,
  IEditorBridgeService,
  type IFunctionInfo,
  IFunctionService,
  type ISetRangeValuesMutationParams,
  KeyCode,
  SetCellEditVisibleOperation,
  SetRangeValuesMutation,
  SetTriggerFormulaCalculationStartMutation,
} from '@univerjs/preset-sheets-core';
import { getCellTexts } from '../../host/sheets/locales.ts';
import type { Argument, Cell, FormulaResult, PublicFunction } from '../../host/types.ts';
import { createError, createText, fromEngine, toEngine } from '../grid/engine-values.ts';
import type { Grid } from '../grid/grid.ts';
import { locale } from '../locale.ts';

/** Shown until a formula has a result. */
const getLoadingText = (): string => (locale === 'en_US' ? 'Loading…' : getCellTexts(locale).loading);

/** Beyond this limit the oldest result is evicted. */
const MAX_RESULTS = 5000;

export type Evaluate = (name: string, args: readonly Argument[], at: Cell) => Promise<FormulaResult>;

export type CachedResult = readonly [key: string, result: FormulaResult];

/** A cell with 0-based `row` and `column`. */
interface CellLocation {
  unitId: string;
  sheetId: string;
  row: number;
  column: number;
}

class AddonFunction extends BaseFunction {
  readonly #getResult: (args: BaseValueObject[], location: CellLocation) => BaseValueObject;

  constructor(name: string, getResult: (args: BaseValueObject[], location: CellLocation) => BaseValueObject) {
    super(name);
    this.#getResult = getResult;
  }

  override calculate(...args: BaseValueObject[]): BaseValueObject {
    const { unitId, subUnitId, row, column } = this;
    return this.#getResult(args, { unitId: unitId ?? '', sheetId: subUnitId ?? '', row, column });
  }
}

/**
 * Registers the add-on's custom functions with their help texts.
 * The engine computes formulas synchronously: a formula returns the cached result or "Loading…", and its cell is
 * recalculated when the host has answered. A slow call never blocks the sheet.
 */
export class CustomFunctions {
  readonly #workbook: Workbook;
  readonly #commands: ICommandService;
  readonly #runFormula: Evaluate;
  readonly #results: Map<string, FormulaResult>;
  readonly #waiting = new Map<string, CellLocation[]>();
  /** Result keys by cell, so that entering a formula again evaluates it again. */
  readonly #resultsByCell = new Map<string, Set<string>>();
  readonly #dirtyCells: CellLocation[] = [];

  constructor(
    { injector, workbook }: Grid,
    functions: readonly PublicFunction[],
    evaluate: Evaluate,
    cachedResults: readonly CachedResult[],
  ) {
    this.#results = new Map(cachedResults);
    this.#workbook = workbook;
    this.#commands = injector.get(ICommandService);
    this.#runFormula = evaluate;
    const editor = injector.get(IEditorBridgeService);
    const custom = functions.filter((fn) => fn.custom);
    injector
      .get(IFunctionService)
      .registerExecutors(
        ...custom.map(({ name }) => new AddonFunction(name, (args, at) => this.#getResult(name, args, at))),
      );
    injector.get(IDescriptionService).registerDescriptions(custom.map(describe));
    this.#commands.onCommandExecuted((command, options) => {
      if (isSetCells(command) && options?.fromFormula !== true) this.#invalidate(command.params);
      if (isEndOfEditing(command)) this.#reevaluate(editor.getEditCellState());
    });
  }

  /** Results that a reload may use again; formulas that failed are evaluated again. */
  get cachedResults(): CachedResult[] {
    return [...this.#results].filter(([, result]) => !('error' in result));
  }

  #getResult(name: string, args: BaseValueObject[], location: CellLocation): BaseValueObject {
    const error = args.find((arg) => arg.isError());
    if (error !== undefined) return error;
    const values = args.map(fromEngine);
    // A formula must not look up the word "Loading…" of another one.
    if (values.flat(2).includes(getLoadingText())) return createText(getLoadingText());
    const key = JSON.stringify([name, values]);
    const cell = toKey(location);
    const cellResults = this.#resultsByCell.get(cell) ?? new Set();
    this.#resultsByCell.set(cell, cellResults);
    const result = this.#results.get(key);
    // A failure counts only for cells that have waited for it; other cells evaluate again.
    const isKnown = result !== undefined && (cellResults.has(key) || !('error' in result));
    cellResults.add(key);
    if (isKnown) return 'error' in result ? createError(result.error) : toEngine(result.values);
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      this.#waiting.set(key, [location]);
      void this.#evaluate(key, name, values, location);
    } else {
      waiting.push(location);
    }
    return createText(getLoadingText());
  }

  async #evaluate(
    key: string,
    name: string,
    args: readonly Argument[],
    { sheetId, row, column }: CellLocation,
  ): Promise<void> {
    const sheet = this.#workbook.getSheetBySheetId(sheetId)?.getName() ?? '';
    const place = { sheet, row: row + 1, column: column + 1 };
    const result = await this.#runFormula(name, args, place).catch((reason: unknown): FormulaResult => {
      const error = reason instanceof Error ? reason.message : String(reason);
      return { error, tooltip: error };
    });
    this.#results.set(key, result);
    for (const oldest of this.#results.keys()) {
      if (this.#results.size <= MAX_RESULTS) break;
      this.#results.delete(oldest);
      for (const keys of this.#resultsByCell.values()) keys.delete(oldest);
    }
    this.#recalculate(this.#waiting.get(key) ?? []);
    this.#waiting.delete(key);
  }

  /** Recalculates cells, batched with others of the same turn. */
  #recalculate(locations: readonly CellLocation[]): void {
    this.#dirtyCells.push(...locations);
    if (this.#dirtyCells.length > locations.length) return;
    setTimeout(() => {
      // Inserted rows may have moved the formula: find it by its "Loading…".
      const cells = [...this.#dirtyCells.splice(0), ...this.#findLoadingCells()];
      const dirtyRanges = cells.map(({ unitId, sheetId, row, column }) => ({
        unitId,
        sheetId,
        range: { startRow: row, endRow: row, startColumn: column, endColumn: column },
      }));
      void this.#commands.executeCommand(
        SetTriggerFormulaCalculationStartMutation.id,
        { dirtyRanges, forceCalculation: false },
        { onlyLocal: true },
      );
    });
  }

  #findLoadingCells(): CellLocation[] {
    const unitId = this.#workbook.getUnitId();
    const locations: CellLocation[] = [];
    for (const sheet of this.#workbook.getSheets()) {
      sheet.getCellMatrix().forValue((row, column, cell) => {
        if (cell?.v === getLoadingText() && hasFormula(cell))
          locations.push({ unitId, sheetId: sheet.getSheetId(), row, column });
      });
    }
    return locations;
  }

  /** Evaluates a formula again when it is set again. */
  #invalidate({ unitId, subUnitId: sheetId, cellValue }: ISetRangeValuesMutationParams): void {
    new ObjectMatrix<Nullable<ICellData>>(cellValue ?? {}).forValue((row, column, cell) => {
      if (!hasFormula(cell)) return;
      this.#invalidateCell(toKey({ unitId, sheetId, row, column }));
    });
  }

  #invalidateCell(cell: string): void {
    for (const key of this.#resultsByCell.get(cell) ?? []) this.#results.delete(key);
    this.#resultsByCell.delete(cell);
  }

  /** The grid ignores entering an unchanged formula, so its cell is recalculated here. */
  #reevaluate(edited: Nullable<CellLocation>): void {
    if (!edited || !this.#resultsByCell.has(toKey(edited))) return;
    this.#invalidateCell(toKey(edited));
    this.#recalculate([edited]);
  }
}

function isSetCells(
  command: ICommandInfo,
): command is ICommandInfo & { params: ISetRangeValuesMutationParams } {
  return command.id === SetRangeValuesMutation.id && command.params !== undefined;
}

/** Returns whether Enter has ended the editing of a cell. */
function isEndOfEditing({ id, params }: ICommandInfo<{ visible?: boolean; keycode?: number }>): boolean {
  return (
    id === SetCellEditVisibleOperation.id && params?.visible === false && params.keycode === KeyCode.ENTER
  );
}

/** Builds the help for autocomplete and arguments. */
function describe({ name, description, params }: PublicFunction): IFunctionInfo {
  return {
    functionName: name,
    functionType: FunctionType.User,
    description,
    abstract: description,
    functionParameter: params.map((param) => {
      const [detail = '', example = ''] = param.description.split(' Example: ');
      return { name: param.name, detail, example, require: param.optional ? 0 : 1, repeat: 0 };
    }),
  };
}

function toKey({ unitId, sheetId, row, column }: CellLocation): string {
  return `${unitId}/${sheetId}/${row}/${column}`;
}

function hasFormula(cell: Nullable<ICellData>): boolean {
  return (cell?.f ?? cell?.si ?? '') !== '';
}
