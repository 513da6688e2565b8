// Parameters, costs and results that several custom functions share.
import type { Family } from './families/index.ts';
import { familyNames } from './families/index.ts';
import { previewPageSize } from './families/previews.ts';
import { getRecordPrice, type Operation, operations } from './operations.ts';

/** A parameter of a formula. */
export interface FormulaParameter {
  name: string;
  /** JSDoc type. */
  type: string;
  optional: boolean;
  /** An argument as typed into a formula. */
  example: string;
  /** Left out of the example of the whole formula. */
  isRarelyUsed?: true;
  help: string;
}

export const TEXT = 'string';
export const NUMBER = 'number';
export const TEXT_RANGE = 'string|Array<Array<string>>';
export const CELL_RANGE = 'Array<Array<string|number|boolean|Date>>';
export const KEY_RANGE = 'string|number|Array<Array<string|number>>';

const formatCredits = (count: number): string => `${count} ${count === 1 ? 'credit' : 'credits'}`;

/** Returns the price of a preview page, or undefined for families without previews. */
function findPreviewPrice(family: Family): number | undefined {
  return operations.find((operation) => operation.family === family && operation.name === 'preview')?.credits;
}

/** Describes the price of records, with that of the multi-source family if there is one. */
export const describeRecordCost = (family: Family, multiSource?: Family): string => {
  const suffix =
    multiSource === undefined ? '' : ` (${formatCredits(getRecordPrice(multiSource))} for multi-source)`;
  return `${formatCredits(getRecordPrice(family))}${suffix} for each unique record that your team has not bought recently. Records your team already bought are free, and so is recalculating the sheet.`;
};

export const previewCost = `${formatCredits(findPreviewPrice('company_clean') ?? 0)} (${formatCredits(findPreviewPrice('company_multi_source') ?? 0)} for multi-source) for each page of ${previewPageSize} rows. Pages your team bought in the last day are free.`;

export const FREE = 'Free.';

export const fieldsParameter: FormulaParameter = {
  name: 'fields',
  type: TEXT_RANGE,
  optional: true,
  example: '"name, industry"',
  help: 'Fields to show, separated by commas, or a range of field names. Default: the most useful fields.',
};

export const optionsParameter: FormulaParameter = {
  name: 'options',
  type: TEXT,
  optional: true,
  example: '"header, max_age=7d"',
  help: 'header adds a heading row. max_age=7d buys records again when they are older than seven days. max_credits=100 limits what the formula may spend each time it runs. any_fields accepts field names that CDAPI_FIELDS does not list.',
};

/** Options of CDAPI_PREVIEW. */
export const previewOptionsParameter: FormulaParameter = {
  ...optionsParameter,
  example: '"max_credits=20"',
  help: 'max_credits=20 limits what the formula may spend each time it runs. any_fields accepts field names that CDAPI_FIELDS does not list.',
};

/** Options of CDAPI_SEARCH and CDAPI_COUNT. */
export const queryOptionsParameter: FormulaParameter = {
  ...optionsParameter,
  example: '"any_fields"',
  help: 'any_fields accepts field names that CDAPI_FIELDS does not list.',
  isRarelyUsed: true,
};

export const createVariantOptions = (names: string, example: string): FormulaParameter => ({
  ...optionsParameter,
  example,
  help: `${optionsParameter.help} ${names}`,
});

/** Lists the families that support at least one of the operations. */
export const listFamiliesWith = (...names: readonly Operation['name'][]): Family[] =>
  familyNames.filter((family) =>
    operations.some((operation) => operation.family === family && names.includes(operation.name)),
  );

export const createFamilyParameter = (families: readonly Family[]): FormulaParameter => ({
  name: 'family',
  type: TEXT,
  optional: false,
  example: '"company_base"',
  help: `One of ${families.join(', ')}.`,
});

export const searchFamilyParameter = createFamilyParameter(listFamiliesWith('search'));
export const lookupFamilyParameter = createFamilyParameter(listFamiliesWith('collect', 'enrich'));

export const queryParameter: FormulaParameter = {
  name: 'query',
  type: 'string|Array<Array<string|number|boolean|Date>>',
  optional: false,
  example: '"industry:software AND founded:>2015"',
  help: 'Search words, a two-column range with a filter name and its value in each row, or a JSON query.',
};

export const refreshParameter: FormulaParameter = {
  name: 'refresh',
  type: 'boolean',
  optional: true,
  example: 'F1',
  help: 'Any cell, such as a checkbox. The formula runs again when it changes.',
};

export const recordsResult = (subject: string) => ({
  type: CELL_RANGE,
  help: `One row for each ${subject}. A row without a record shows the reason, such as #NOT_FOUND.`,
});

export const countResult = (subject: string) => ({
  type: 'Array<Array<number|string>>',
  help: `Two cells: ${subject}, and when it was counted.`,
});

export const keyParameter: FormulaParameter = {
  name: 'key',
  type: KEY_RANGE,
  optional: false,
  example: 'A2:A100',
  help: 'An id, shorthand name or profile URL, or a column of them.',
};
