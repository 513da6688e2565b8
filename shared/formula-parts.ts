// Parameters, costs and results that several custom functions share.
import { type AccountList, defaultRowsPerAccount, maxRowsPerAccount } from './accounts.ts';
import type { Family } from './families/index.ts';
import { familyNames } from './families/index.ts';
import { previewPageSize } from './families/previews.ts';
import { getRecordPrice, type Operation, operations } from './operations.ts';

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

/** A custom function. Its texts are help for spreadsheet users. */
export interface Formula {
  name: string;
  help: string;
  /** Price in credits, as a sentence. */
  cost: string;
  parameters: readonly FormulaParameter[];
  returns: { type: string; help: string };
}

export const TEXT = 'string';
export const NUMBER = 'number';
export const TEXT_RANGE = 'string|Array<Array<string>>';
export const CELL_RANGE = 'Array<Array<string|number|boolean|Date>>';
export const KEY_RANGE = 'string|number|Array<Array<string|number>>';

/**
 * Separates arguments in formulas that are written or shown. Sheets accepts semicolons in every locale, and commas only
 * in those with a decimal point (docs/google-assumptions.md).
 */
export const argumentSeparator = '; ';

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

export const matchCost = `${formatCredits(findPreviewPrice('company_clean') ?? 0)} (${formatCredits(findPreviewPrice('company_multi_source') ?? 0)} for multi-source) for each ${previewPageSize} candidates that are compared, usually one or two for each name. The same names are free for a day.`;

export const FREE = 'Free.';

export const fieldsParameter: FormulaParameter = {
  name: 'fields',
  type: TEXT_RANGE,
  optional: true,
  example: '"name, industry"',
  help: 'Fields to show, separated by commas, or a range of names. Default: the most useful ones.',
};

const REFRESH_HELP = 'refresh=1 runs the formula again when its number changes.';

export const optionsParameter: FormulaParameter = {
  name: 'options',
  type: TEXT,
  optional: true,
  example: '"header, max_age=7d"',
  help: `header adds a heading row. max_age=7d buys records older than seven days again. max_credits=100 limits what each run may spend; without it, a large price needs a confirmation. any_fields accepts names that CDAPI_FIELDS does not list. ${REFRESH_HELP}`,
};

export const previewOptionsParameter: FormulaParameter = {
  ...optionsParameter,
  example: '"max_credits=20"',
  help: `max_credits=20 limits what each run may spend; without it, a large price needs a confirmation. any_fields accepts names that CDAPI_FIELDS does not list. ${REFRESH_HELP}`,
};

export const matchOptionsParameter: FormulaParameter = {
  ...optionsParameter,
  example: '"header"',
  help: `header adds a heading row. threshold=0.9 is the confidence of a match. no_previews spends nothing and matches names of records that your team has; others stay uncertain. variant=base or variant=multi-source searches those records. max_credits=20 limits what each run may spend; without it, a large price needs a confirmation. ${REFRESH_HELP}`,
};

/** Options of CDAPI_SEARCH and CDAPI_COUNT. */
export const queryOptionsParameter: FormulaParameter = {
  ...optionsParameter,
  example: '"any_fields"',
  help: `any_fields accepts names that CDAPI_FIELDS does not list. ${REFRESH_HELP}`,
  isRarelyUsed: true,
};

export const refreshOptionsParameter: FormulaParameter = {
  ...optionsParameter,
  example: '"refresh=1"',
  help: REFRESH_HELP,
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
  help: 'Search words, two columns of filter names and values, or a JSON query.',
};

export const refreshParameter: FormulaParameter = {
  name: 'refresh',
  type: 'boolean',
  optional: true,
  example: 'F1',
  help: 'A cell, such as a checkbox. The formula runs again when it changes.',
};

export const recordsResult = (subject: string) => ({
  type: CELL_RANGE,
  help: `One row for each ${subject}. A row without a record shows the reason.`,
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

const companiesParameter = {
  name: 'companies',
  type: KEY_RANGE,
  optional: false,
  example: 'A2:A100',
  help: 'Websites, ids or names of companies.',
} as const;

/** Describes a formula that lists people or jobs at companies. */
export const createAccountFormula = (
  name: string,
  list: AccountList,
  help: string,
  query: string,
): Formula => ({
  name,
  help,
  cost: previewCost,
  parameters: [
    companiesParameter,
    { ...queryParameter, optional: true, example: query, help: `${queryParameter.help} Default: all.` },
    { ...fieldsParameter, example: '""', isRarelyUsed: true },
    {
      name: 'limit',
      type: NUMBER,
      optional: true,
      example: '3',
      isRarelyUsed: true,
      help: `The number of ${list} at each company, at most ${maxRowsPerAccount}. Default: ${defaultRowsPerAccount}.`,
    },
    { ...previewOptionsParameter, isRarelyUsed: true },
  ],
  returns: {
    type: CELL_RANGE,
    help: 'A heading row, then the rows of each company. A company without rows shows the reason.',
  },
});

/** Creates a formula that counts people or jobs at companies. */
export const createAccountCount = (name: string, help: string, query: string): Formula => ({
  name,
  help,
  cost: FREE,
  parameters: [
    companiesParameter,
    { ...queryParameter, optional: true, example: query, help: `${queryParameter.help} Default: all.` },
    queryOptionsParameter,
  ],
  returns: {
    type: CELL_RANGE,
    help: 'One number for each cell. #PENDING while the provider’s rate delays it: the next run of the formula counts the rest.',
  },
});
