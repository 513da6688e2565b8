// What objects of the realm stand for: sheets and ranges of the host, and rules for their values.
import type { Block, ValidationData } from '../../sheets/workbook.ts';
import type { Bridge } from '../bridge.ts';
import { chained, createRegistry, emulateObject, method } from '../emulated.ts';

/** Creates the objects of a spreadsheet. */
export interface SpreadsheetContext {
  readonly bridge: Bridge;
  /** Returns null if there is no active spreadsheet. */
  readonly spreadsheet: () => object | null;
  readonly sheet: (id: number) => object;
  /** @param block - from the host */
  readonly range: (block: unknown) => object;
}

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

/** The class of rules, as parameters of methods. */
export const DATA_VALIDATION = 'SpreadsheetApp.DataValidation';

type Rule = Omit<ValidationData, 'area'>;

const rules = createRegistry<Rule>('rule');

const toTexts = (values: unknown): string[] => (Array.isArray(values) ? values.map(String) : []);

/** Returns the arguments of a rule for the host; a removed rule has no values. */
export function getRule(value: unknown): readonly [values: readonly string[] | null, allowInvalid: boolean] {
  if (value === null) return [null, true];
  const { values, allowInvalid } = rules.get(value);
  return [values, allowInvalid];
}

/** Creates a rule from the host's data; null if a cell has none. */
export function createRule(data: unknown): object | null {
  if (data === null) return null;
  const { values, allowInvalid }: Record<string, unknown> = Object(data);
  const rule: Rule = { values: toTexts(values), allowInvalid: allowInvalid === true };
  const self = emulateObject(DATA_VALIDATION, { getAllowInvalid: method(() => rule.allowInvalid) });
  rules.set(self, rule);
  return self;
}

/** Creates the builder of SpreadsheetApp.newDataValidation(). Reference "setAllowInvalid": the default is true. */
export function createRuleBuilder(): object {
  let rule: Rule = { values: [], allowInvalid: true };
  return emulateObject('SpreadsheetApp.DataValidationBuilder', {
    requireValueInList: chained((values) => {
      rule = { ...rule, values: toTexts(values) };
    }, 'String[]'),
    setAllowInvalid: chained((allowInvalid) => {
      rule = { ...rule, allowInvalid: allowInvalid === true };
    }, 'Boolean'),
    build: method(() => createRule(rule)),
  });
}
