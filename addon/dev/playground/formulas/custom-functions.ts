// The add-on's formulas in the grid: each is asked of the host once, shows "Loading…" meanwhile, then spills.
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

/** What a formula shows until its answer is there. */
export const LOADING = 'Loading…';

/** Answers that are kept; beyond them the oldest is asked of the host again. */
const KEPT_ANSWERS = 5000;

/** Runs a custom function, as the host does it. */
export type Evaluate = (name: string, args: readonly Argument[], at: Cell) => Promise<FormulaResult>;

/** What formulas are asked of. */
export interface Answerer {
  evaluate: Evaluate;
  /** Makes the next evaluation of this name and these arguments run again. */
  forget(name: string, args: readonly Argument[]): void;
}

/** What the host said. */
interface Settled {
  readonly name: string;
  readonly args: readonly Argument[];
  readonly outcome: FormulaResult;
}

/** A cell; `row` and `column` count from 0. */
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
 * Makes the add-on's custom functions known to the grid: they compute, complete and explain themselves.
 * A formula is synchronous for the engine: it answers from what the host said before, or "Loading…",
 * and its cell is computed again when the host has answered. So a slow call never holds up the sheet.
 */
export class Formulas {
  readonly #workbook: Workbook;
  readonly #commands: ICommandService;
  readonly #answerer: Answerer;
  readonly #settled = new Map<string, Settled>();
  readonly #waiting = new Map<string, Place[]>();
  /** Which answers a cell shows, so that setting its formula again asks again. */
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
    // A formula that leans on one still loading waits for it, or it would look up the word "Loading…".
    if (plain.flat(2).includes(LOADING)) return text(LOADING);
    const key = JSON.stringify([name, plain]);
    const cell = placeKey(place);
    const asked = this.#askedBy.get(cell) ?? new Set();
    this.#askedBy.set(cell, asked);
    const outcome = this.#settled.get(key)?.outcome;
    // A failure stands for those who asked then: who asks only now may fare better.
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

  /** Computes cells again, together with all that came due in the same moment. */
  #compute(places: readonly Place[]): void {
    this.#due.push(...places);
    if (this.#due.length > places.length) return;
    setTimeout(() => {
      // Rows that were inserted meanwhile moved the formula: wherever it is, it still shows "Loading…".
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

  /** A formula that is set again is computed again, whatever it or the host remembers. */
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

  /** The grid sets nothing where the very same formula is typed again, so its cell is computed from here. */
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

/** Tells whether Enter has just ended the editing of a cell. */
function isEntered({ id, params }: ICommandInfo<{ visible?: boolean; keycode?: number }>): boolean {
  return (
    id === SetCellEditVisibleOperation.id && params?.visible === false && params.keycode === KeyCode.ENTER
  );
}

/** What autocomplete and the help beside the arguments show. */
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
