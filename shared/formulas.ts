// The custom functions: names, parameters, help texts and prices. The add-on's JSDoc and docs/formulas.md are generated from them.
import type { Family } from './families/index.ts';
import { familyNames } from './families/index.ts';
import { previewMaxPage, previewPageSize } from './families/previews.ts';
import { defaultSearchIds, maxSearchIds } from './formula-limits.ts';
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

/** A custom function. Its texts are help for spreadsheet users. */
export interface Formula {
  name: string;
  help: string;
  /** Price in credits, as a sentence. */
  cost: string;
  parameters: readonly FormulaParameter[];
  returns: { type: string; help: string };
}

const TEXT = 'string';
const NUMBER = 'number';
const TEXT_RANGE = 'string|Array<Array<string>>';
const CELL_RANGE = 'Array<Array<string|number|boolean|Date>>';
const KEY_RANGE = 'string|number|Array<Array<string|number>>';

const formatCredits = (count: number): string => `${count} ${count === 1 ? 'credit' : 'credits'}`;

/** Returns the price of a preview page, or undefined for families without previews. */
function findPreviewPrice(family: Family): number | undefined {
  return operations.find((operation) => operation.family === family && operation.name === 'preview')?.credits;
}

const describeRecordCost = (family: Family, other?: Family): string => {
  const more = other === undefined ? '' : ` (${formatCredits(getRecordPrice(other))} for multi-source)`;
  return `${formatCredits(getRecordPrice(family))}${more} for each unique record that your team has not bought recently. Records your team already bought are free, and so is recalculating the sheet.`;
};

const previewCost = `${formatCredits(findPreviewPrice('company_clean') ?? 0)} (${formatCredits(findPreviewPrice('company_multi_source') ?? 0)} for multi-source) for each page of ${previewPageSize} rows. Pages your team bought in the last day are free.`;

const FREE = 'Free.';

const fieldsParameter: FormulaParameter = {
  name: 'fields',
  type: TEXT_RANGE,
  optional: true,
  example: '"name, industry"',
  help: 'Fields to show, separated by commas, or a range of field names. Default: the most useful fields.',
};

const optionsParameter: FormulaParameter = {
  name: 'options',
  type: TEXT,
  optional: true,
  example: '"header, max_age=7d"',
  help: 'header adds a heading row. max_age=7d buys records again when they are older than seven days. max_credits=100 limits what the formula may spend each time it runs. any_fields accepts field names that CDAPI_FIELDS does not list.',
};

/** Options of CDAPI_PREVIEW. */
const previewOptionsParameter: FormulaParameter = {
  ...optionsParameter,
  example: '"max_credits=20"',
  help: 'max_credits=20 limits what the formula may spend each time it runs. any_fields accepts field names that CDAPI_FIELDS does not list.',
};

/** Options of CDAPI_SEARCH and CDAPI_COUNT. */
const queryOptionsParameter: FormulaParameter = {
  ...optionsParameter,
  example: '"any_fields"',
  help: 'any_fields accepts field names that CDAPI_FIELDS does not list.',
  isRarelyUsed: true,
};

const createVariantOptions = (names: string, example: string): FormulaParameter => ({
  ...optionsParameter,
  example,
  help: `${optionsParameter.help} ${names}`,
});

/** Lists the families that support at least one of the operations. */
const listFamiliesWith = (...names: readonly Operation['name'][]): Family[] =>
  familyNames.filter((family) =>
    operations.some((operation) => operation.family === family && names.includes(operation.name)),
  );

const createFamilyParameter = (families: readonly Family[]): FormulaParameter => ({
  name: 'family',
  type: TEXT,
  optional: false,
  example: '"company_base"',
  help: `One of ${families.join(', ')}.`,
});

const searchFamilyParameter = createFamilyParameter(listFamiliesWith('search'));
const lookupFamilyParameter = createFamilyParameter(listFamiliesWith('collect', 'enrich'));

const queryParameter: FormulaParameter = {
  name: 'query',
  type: 'string|Array<Array<string|number|boolean|Date>>',
  optional: false,
  example: '"industry:software AND founded:>2015"',
  help: 'Search words, a two-column range with a filter name and its value in each row, or a JSON query.',
};

const refreshParameter: FormulaParameter = {
  name: 'refresh',
  type: 'boolean',
  optional: true,
  example: 'F1',
  help: 'Any cell, such as a checkbox. The formula runs again when it changes.',
};

const recordsResult = (what: string) => ({
  type: CELL_RANGE,
  help: `One row for each ${what}. A row without a record shows the reason, such as #NOT_FOUND.`,
});

const countResult = (what: string) => ({
  type: 'Array<Array<number|string>>',
  help: `Two cells: ${what}, and when it was counted.`,
});

const keyParameter: FormulaParameter = {
  name: 'key',
  type: KEY_RANGE,
  optional: false,
  example: 'A2:A100',
  help: 'An id, shorthand name or profile URL, or a column of them.',
};

/** Every formula, in display order. */
export const formulas: readonly Formula[] = [
  {
    name: 'CDAPI_ENRICH',
    help: 'Company data for a website or for a whole column of websites.',
    cost: describeRecordCost('company_clean', 'company_multi_source'),
    parameters: [
      {
        name: 'website',
        type: TEXT_RANGE,
        optional: false,
        example: 'A2:A100',
        help: 'A website such as example.com, or a column of websites.',
      },
      fieldsParameter,
      createVariantOptions('variant=multi-source returns the multi-source record.', optionsParameter.example),
    ],
    returns: recordsResult('website'),
  },
  {
    name: 'CDAPI_COMPANY',
    help: 'Company data by id, shorthand name or profile URL. A column may mix them.',
    cost: describeRecordCost('company_base', 'company_multi_source'),
    parameters: [
      keyParameter,
      fieldsParameter,
      createVariantOptions(
        'variant=clean or variant=multi-source returns that record.',
        '"header, variant=clean"',
      ),
    ],
    returns: recordsResult('key'),
  },
  {
    name: 'CDAPI_EMPLOYEE',
    help: 'Data about a person by id, shorthand name or profile URL. A column may mix them.',
    cost: describeRecordCost('employee_clean', 'employee_multi_source'),
    parameters: [
      keyParameter,
      { ...fieldsParameter, example: '"full_name, experience[0].title"' },
      createVariantOptions(
        'variant=base or variant=multi-source returns that record.',
        '"header, variant=base"',
      ),
    ],
    returns: recordsResult('key'),
  },
  {
    name: 'CDAPI_JOB',
    help: 'Job postings by id.',
    cost: describeRecordCost('job_base', 'job_multi_source'),
    parameters: [
      {
        name: 'job_id',
        type: KEY_RANGE,
        optional: false,
        example: 'A2:A100',
        help: 'An id or a column of ids.',
      },
      { ...fieldsParameter, example: '"title, company_name"' },
      createVariantOptions('variant=multi-source returns the multi-source record.', optionsParameter.example),
    ],
    returns: recordsResult('id'),
  },
  {
    name: 'CDAPI_POST',
    help: 'Posts by id.',
    cost: describeRecordCost('employee_post'),
    parameters: [
      {
        name: 'post_id',
        type: TEXT_RANGE,
        optional: false,
        example: 'A2:A100',
        help: 'An id or a column of ids, stored as text. Numbers of 19 digits lose their last digits.',
      },
      { ...fieldsParameter, example: '"author_name, article_body"' },
      optionsParameter,
    ],
    returns: recordsResult('id'),
  },
  {
    name: 'CDAPI_SEARCH',
    help: 'The ids of the matching records, one in each row.',
    cost: FREE,
    parameters: [
      searchFamilyParameter,
      queryParameter,
      {
        name: 'limit',
        type: NUMBER,
        optional: true,
        example: '500',
        help: `The number of ids, at most ${maxSearchIds}. Default: ${defaultSearchIds}.`,
      },
      {
        name: 'sort',
        type: TEXT,
        optional: true,
        example: '"_score"',
        help: 'The sort order: _score (best match first) or id. Some families have more; filter queries also sort by last_updated.',
      },
      queryOptionsParameter,
    ],
    returns: {
      type: 'Array<Array<string>>',
      help: 'One id in each row, as text. #NOT_FOUND if nothing matches. A last row such as #PENDING if not all ids could be read in time.',
    },
  },
  {
    name: 'CDAPI_PREVIEW',
    help: 'A table of matching records with a heading row and a few fields.',
    cost: previewCost,
    parameters: [
      createFamilyParameter(listFamiliesWith('preview')),
      queryParameter,
      {
        ...fieldsParameter,
        help: `${fieldsParameter.help.split('.')[0]}. Default: all preview fields.`,
      },
      {
        name: 'pages',
        type: NUMBER,
        optional: true,
        example: '2',
        help: `The number of pages of ${previewPageSize} rows, from 1 to ${previewMaxPage}. Default: 1.`,
      },
      previewOptionsParameter,
    ],
    returns: {
      type: CELL_RANGE,
      help: 'A heading row, then one row for each record, best match first.',
    },
  },
  {
    name: 'CDAPI_COUNT',
    help: 'The number of matching records.',
    cost: FREE,
    parameters: [searchFamilyParameter, queryParameter, refreshParameter, queryOptionsParameter],
    returns: {
      type: 'Array<Array<number|string>>',
      help: 'Two cells: the number of matching records, and when it was counted. If nothing matches, the second cell also shows how many records match without each condition.',
    },
  },
  {
    name: 'CDAPI_COST',
    help: 'The cost of looking up these keys: the unique keys that your team has not bought yet, times the price.',
    cost: FREE,
    parameters: [
      {
        name: 'keys',
        type: KEY_RANGE,
        optional: false,
        example: 'A2:A100',
        help: 'A column of keys, as for the lookup formulas.',
      },
      {
        ...lookupFamilyParameter,
        optional: true,
        example: '"employee_clean"',
        help: `${lookupFamilyParameter.help} Default: company_clean, as for CDAPI_ENRICH.`,
      },
      refreshParameter,
    ],
    returns: {
      type: 'Array<Array<number|string>>',
      help: 'Two cells: the credits, and a note with the number of keys to buy, the number of invalid keys and the time. If all keys are invalid, an error that names the first.',
    },
  },
  {
    name: 'CDAPI_CREDITS',
    help: 'The credits that your team may still spend.',
    cost: FREE,
    parameters: [refreshParameter],
    returns: countResult('the credits, or “no limit”'),
  },
  {
    name: 'CDAPI_FIELDS',
    help: 'The fields of a family.',
    cost: FREE,
    parameters: [createFamilyParameter(familyNames)],
    returns: {
      type: 'Array<Array<string>>',
      help: 'A heading row, then one field and its type in each row.',
    },
  },
  {
    name: 'CDAPI_STATUS',
    help: 'The connection, the team, and the last error with its fix.',
    cost: FREE,
    parameters: [refreshParameter],
    returns: { type: 'Array<Array<string|number>>', help: 'One name and value in each row.' },
  },
];

/**
 * Builds an example call of a formula, without its rarely used parameters.
 */
export function buildFormulaExample({ name, parameters }: Formula): string {
  const shown = parameters.filter(({ isRarelyUsed }) => isRarelyUsed !== true);
  return `=${name}(${shown.map(({ example }) => example).join(', ')})`;
}
