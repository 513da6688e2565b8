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
import type { Argument, Cell, FormulaResult, PublicFunction } from '../../host/types.ts';
import { failure, fromEngine, text, toEngine } from '../grid/engine-values.ts';
import type { Grid } from '../grid/grid.ts';

/** Shown until a formula has a result. */
export const LOADING = 'Loading…';

/** Beyond this limit the oldest result is evicted. */
const KEPT_ANSWERS = 5000;

/** Runs a custom function in the host. */
export type Evaluate = (name: string, args: readonly Argument[], at: Cell) => Promise<FormulaResult>;

/** Evaluates formulas and caches results. */
export interface Answerer {
  evaluate: Evaluate;
  /** Removes a cached result. */
  forget(name: string, args: readonly Argument[]): void;
}

/** A finished evaluation. */
interface Settled {
  readonly name: string;
  readonly args: readonly Argument[];
  readonly outcome: FormulaResult;
}

/** A cell with 0-based `row` and `column`. */
interface Place {
  unitId: string;
  sheetId: string;
  row: number;
  column: number;
}

class AddonFunction extends BaseFunction {
  readonly #answer: (args: BaseValueObject[], place: Place) => BaseValueObject;

  constructor(name: string, answer: (args: BaseValueObject[], place: Place) => BaseValueObject) {
    super(name);
    this.#answer = answer;
  }

  override calculate(...args: BaseValueObject[]): BaseValueObject {
    const { unitId, subUnitId, row, column } = this;
    return this.#answer(args, { unitId: unitId ?? '', sheetId: subUnitId ?? '', row, column });
  }
}

/**
 * Registers the add-on's custom functions with their help texts.
 * The engine computes formulas synchronously: a formula returns the cached result or "Loading…", and its cell is
 * recalculated when the host has answered. A slow call never blocks the sheet.
 */
export class Formulas {
  readonly #workbook: Workbook;
  readonly #commands: ICommandService;
  readonly #answerer: Answerer;
  readonly #settled = new Map<string, Settled>();
  readonly #waiting = new Map<string, Place[]>();
  /** Result keys by cell, so that entering a formula again evaluates it again. */
  readonly #askedBy = new Map<string, Set<string>>();
  readonly #due: Place[] = [];

  constructor({ injector, workbook }: Grid, functions: readonly PublicFunction[], answerer: Answerer) {
    this.#workbook = workbook;
    this.#commands = injector.get(ICommandService);
    this.#answerer = answerer;
    const editor = injector.get(IEditorBridgeService);
    const custom = functions.filter((one) => one.custom);
    injector
      .get(IFunctionService)
      .registerExecutors(
        ...custom.map(({ name }) => new AddonFunction(name, (args, at) => this.#answer(name, args, at))),
      );
    injector.get(IDescriptionService).registerDescriptions(custom.map(describe));
    this.#commands.onCommandExecuted((command, options) => {
      if (setsCells(command) && options?.fromFormula !== true) this.#forget(command.params);
      if (isEntered(command)) this.#retype(editor.getEditCellState());
    });
  }

  #answer(name: string, args: BaseValueObject[], place: Place): BaseValueObject {
    const broken = args.find((arg) => arg.isError());
    if (broken !== undefined) return broken;
    const plain = args.map(fromEngine);
    // A formula must not look up the word "Loading…" of another one.
    if (plain.flat(2).includes(LOADING)) return text(LOADING);
    const key = JSON.stringify([name, plain]);
    const cell = placeKey(place);
    const asked = this.#askedBy.get(cell) ?? new Set();
    this.#askedBy.set(cell, asked);
    const outcome = this.#settled.get(key)?.outcome;
    // A failure counts only for cells that have waited for it; other cells evaluate again.
    const known = outcome !== undefined && (asked.has(key) || !('error' in outcome));
    asked.add(key);
    if (known) return 'error' in outcome ? failure(outcome.error) : toEngine(outcome.values);
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      this.#waiting.set(key, [place]);
      void this.#ask(key, name, plain, place);
    } else {
      waiting.push(place);
    }
    return text(LOADING);
  }

  async #ask(
    key: string,
    name: string,
    args: readonly Argument[],
    { sheetId, row, column }: Place,
  ): Promise<void> {
    const sheet = this.#workbook.getSheetBySheetId(sheetId)?.getName() ?? '';
    const outcome = await this.#answerer
      .evaluate(name, args, { sheet, row: row + 1, column: column + 1 })
      .catch((cause: unknown): FormulaResult => {
        const error = cause instanceof Error ? cause.message : String(cause);
        return { error, tooltip: error };
      });
    this.#settled.set(key, { name, args, outcome });
    for (const oldest of this.#settled.keys()) {
      if (this.#settled.size <= KEPT_ANSWERS) break;
      this.#settled.delete(oldest);
      for (const asked of this.#askedBy.values()) asked.delete(oldest);
    }
    this.#compute(this.#waiting.get(key) ?? []);
    this.#waiting.delete(key);
  }

  /** Recalculates cells, batched with others of the same turn. */
  #compute(places: readonly Place[]): void {
    this.#due.push(...places);
    if (this.#due.length > places.length) return;
    setTimeout(() => {
      // Inserted rows may have moved the formula: find it by its "Loading…".
      const cells = [...this.#due.splice(0), ...this.#loadingCells()];
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

  #loadingCells(): Place[] {
    const unitId = this.#workbook.getUnitId();
    const places: Place[] = [];
    for (const sheet of this.#workbook.getSheets()) {
      sheet.getCellMatrix().forValue((row, column, cell) => {
        if (cell?.v === LOADING && hasFormula(cell))
          places.push({ unitId, sheetId: sheet.getSheetId(), row, column });
      });
    }
    return places;
  }

  /** Evaluates a formula again when it is set again, bypassing all caches. */
  #forget({ unitId, subUnitId: sheetId, cellValue }: ISetRangeValuesMutationParams): void {
    new ObjectMatrix<Nullable<ICellData>>(cellValue ?? {}).forValue((row, column, cell) => {
      if (!hasFormula(cell)) return;
      this.#forgetCell(placeKey({ unitId, sheetId, row, column }));
    });
  }

  #forgetCell(cell: string): void {
    for (const key of this.#askedBy.get(cell) ?? []) {
      const settled = this.#settled.get(key);
      if (settled !== undefined) this.#answerer.forget(settled.name, settled.args);
      this.#settled.delete(key);
    }
    this.#askedBy.delete(cell);
  }

  /** The grid ignores entering an unchanged formula, so its cell is recalculated here. */
  #retype(edited: Nullable<Place>): void {
    if (!edited || !this.#askedBy.has(placeKey(edited))) return;
    this.#forgetCell(placeKey(edited));
    this.#compute([edited]);
  }
}

function setsCells(
  command: ICommandInfo,
): command is ICommandInfo & { params: ISetRangeValuesMutationParams } {
  return command.id === SetRangeValuesMutation.id && command.params !== undefined;
}

/** Returns whether Enter has ended the editing of a cell. */
function isEntered({ id, params }: ICommandInfo<{ visible?: boolean; keycode?: number }>): boolean {
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

function placeKey({ unitId, sheetId, row, column }: Place): string {
  return `${unitId}/${sheetId}/${row}/${column}`;
}

function hasFormula(cell: Nullable<ICellData>): boolean {
  return (cell?.f ?? cell?.si ?? '') !== '';
}
