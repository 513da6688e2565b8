// The formulas, as data: their names, arguments, help and prices. The built add-on's JSDoc and the documentation come from it.
import type { Family } from './families/index.ts';
import { familyNames } from './families/index.ts';
import { previewMaxPage, previewPageSize } from './families/previews.ts';
import { defaultSearchIds, maxSearchIds } from './formula-limits.ts';
import { getRecordPrice, type Operation, operations } from './operations.ts';

/** One argument, in the order in which it is given. */
export interface FormulaParameter {
  name: string;
  /** As JSDoc has it. */
  type: string;
  optional: boolean;
  /** As it would stand in a formula. */
  example: string;
  /** Seldom needed: the example of the whole formula goes without it. */
  isRarelyUsed?: true;
  help: string;
}

/** A formula: what it does, takes, gives and costs, each in a sentence or two for people. */
export interface Formula {
  name: string;
  help: string;
  /** What it costs, in credits. */
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

/** What a page of a family's preview costs; undefined where it has none. */
function findPreviewPrice(family: Family): number | undefined {
  return operations.find((operation) => operation.family === family && operation.name === 'preview')?.credits;
}

const describeRecordCost = (family: Family, other?: Family): string => {
  const more = other === undefined ? '' : ` (${formatCredits(getRecordPrice(other))} for multi-source)`;
  return `${formatCredits(getRecordPrice(family))}${more} for each different record that the team has not bought lately; nothing for the others, and nothing when the sheet recalculates.`;
};

const previewCost = `${formatCredits(findPreviewPrice('company_clean') ?? 0)} (${formatCredits(findPreviewPrice('company_multi_source') ?? 0)} for multi-source) for each page of ${previewPageSize} rows that is not remembered.`;

const FREE = 'Nothing.';

const fieldsParameter: FormulaParameter = {
  name: 'fields',
  type: TEXT_RANGE,
  optional: true,
  example: '"name, industry"',
  help: 'The fields to show, separated by commas, or a range that holds them. Left out: the most useful ones.',
};

const optionsParameter: FormulaParameter = {
  name: 'options',
  type: TEXT,
  optional: true,
  example: '"header, max_age=7d"',
  help: 'header adds a row of headings; max_age=7d buys again what is older than seven days; max_credits=100 spends at most so many credits each time the formula runs; any_fields takes names of fields that CDAPI_FIELDS does not list.',
};

/** The options of the formula that shows previews. */
const previewOptionsParameter: FormulaParameter = {
  ...optionsParameter,
  example: '"max_credits=20"',
  help: 'max_credits=20 spends at most so many credits each time the formula runs; any_fields takes names of fields that CDAPI_FIELDS does not list.',
};

/** The options of formulas that search. */
const queryOptionsParameter: FormulaParameter = {
  ...optionsParameter,
  example: '"any_fields"',
  help: 'any_fields takes names of fields that CDAPI_FIELDS does not list.',
  isRarelyUsed: true,
};

const createVariantOptions = (names: string, example: string): FormulaParameter => ({
  ...optionsParameter,
  example,
  help: `${optionsParameter.help} ${names}`,
});

/** The families that have one of some operations. */
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
  help: 'Words, a range of two columns with a filter’s name and its value in each row, or a JSON body.',
};

const refreshParameter: FormulaParameter = {
  name: 'refresh',
  type: 'boolean',
  optional: true,
  example: 'F1',
  help: 'Any cell, such as a checkbox: when it changes, the formula asks again.',
};

const recordsResult = (what: string) => ({
  type: CELL_RANGE,
  help: `One row for each ${what}. A row that fails says why, such as #NOT_FOUND.`,
});

const countResult = (what: string) => ({
  type: 'Array<Array<number|string>>',
  help: `Two cells: ${what}, and as of when.`,
});

const keyParameter: FormulaParameter = {
  name: 'key',
  type: KEY_RANGE,
  optional: false,
  example: 'A2:A100',
  help: 'An id, a shorthand name or a profile URL, or a column of them.',
};

/** Every formula, in the order in which people meet them. */
export const formulas: readonly Formula[] = [
  {
    name: 'CDAPI_ENRICH',
    help: 'Company data for a website, or for a whole column of websites in one call.',
    cost: describeRecordCost('company_clean', 'company_multi_source'),
    parameters: [
      {
        name: 'website',
        type: TEXT_RANGE,
        optional: false,
        example: 'A2:A100',
        help: 'A website such as example.com, or a column of them.',
      },
      fieldsParameter,
      createVariantOptions('variant=multi-source takes the multi-source record.', optionsParameter.example),
    ],
    returns: recordsResult('website'),
  },
  {
    name: 'CDAPI_COMPANY',
    help: 'Company data by id, shorthand name or profile URL, in any mixture.',
    cost: describeRecordCost('company_base', 'company_multi_source'),
    parameters: [
      keyParameter,
      fieldsParameter,
      createVariantOptions(
        'variant=clean or variant=multi-source takes that record.',
        '"header, variant=clean"',
      ),
    ],
    returns: recordsResult('key'),
  },
  {
    name: 'CDAPI_EMPLOYEE',
    help: 'Data of a person by id, shorthand name or profile URL, in any mixture.',
    cost: describeRecordCost('employee_clean', 'employee_multi_source'),
    parameters: [
      keyParameter,
      { ...fieldsParameter, example: '"full_name, experience[0].title"' },
      createVariantOptions(
        'variant=base or variant=multi-source takes that record.',
        '"header, variant=base"',
      ),
    ],
    returns: recordsResult('key'),
  },
  {
    name: 'CDAPI_JOB',
    help: 'Job postings by their ids.',
    cost: describeRecordCost('job_base', 'job_multi_source'),
    parameters: [
      {
        name: 'job_id',
        type: KEY_RANGE,
        optional: false,
        example: 'A2:A100',
        help: 'An id, or a column of them.',
      },
      { ...fieldsParameter, example: '"title, company_name"' },
      createVariantOptions('variant=multi-source takes the multi-source record.', optionsParameter.example),
    ],
    returns: recordsResult('id'),
  },
  {
    name: 'CDAPI_POST',
    help: 'Posts by their ids.',
    cost: describeRecordCost('employee_post'),
    parameters: [
      {
        name: 'post_id',
        type: TEXT_RANGE,
        optional: false,
        example: 'A2:A100',
        help: 'An id, or a column of them, kept as text: a number of 19 digits loses its last ones.',
      },
      { ...fieldsParameter, example: '"author_name, article_body"' },
      optionsParameter,
    ],
    returns: recordsResult('id'),
  },
  {
    name: 'CDAPI_SEARCH',
    help: 'The ids of the records that match, down a column.',
    cost: FREE,
    parameters: [
      searchFamilyParameter,
      queryParameter,
      {
        name: 'limit',
        type: NUMBER,
        optional: true,
        example: '500',
        help: `How many ids, at most ${maxSearchIds}. Left out: ${defaultSearchIds}.`,
      },
      {
        name: 'sort',
        type: TEXT,
        optional: true,
        example: '"_score"',
        help: '_score for the best match first, id, or what else the family sorts by; with filters last_updated.',
      },
      queryOptionsParameter,
    ],
    returns: {
      type: 'Array<Array<string>>',
      help: 'One id a row, as text. #NOT_FOUND where nothing matches; a last row such as #PENDING where there is more than could be read in time.',
    },
  },
  {
    name: 'CDAPI_PREVIEW',
    help: 'A table of the records that match, with a heading and a few fields of each.',
    cost: previewCost,
    parameters: [
      createFamilyParameter(listFamiliesWith('preview')),
      queryParameter,
      {
        ...fieldsParameter,
        help: `${fieldsParameter.help.split('.')[0]}. Left out: all that a preview has.`,
      },
      {
        name: 'pages',
        type: NUMBER,
        optional: true,
        example: '2',
        help: `How many pages of ${previewPageSize} rows, from 1 to ${previewMaxPage}. Left out: one.`,
      },
      previewOptionsParameter,
    ],
    returns: {
      type: CELL_RANGE,
      help: 'A row of headings, then one row for each record, the best match first.',
    },
  },
  {
    name: 'CDAPI_COUNT',
    help: 'How many records match.',
    cost: FREE,
    parameters: [searchFamilyParameter, queryParameter, refreshParameter, queryOptionsParameter],
    returns: {
      type: 'Array<Array<number|string>>',
      help: 'Two cells: how many match, and as of when. Where nothing matches, the second also says how many match without each condition.',
    },
  },
  {
    name: 'CDAPI_COST',
    help: 'What a lookup of these keys would cost: different ones that are not remembered, times the price.',
    cost: FREE,
    parameters: [
      {
        name: 'keys',
        type: KEY_RANGE,
        optional: false,
        example: 'A2:A100',
        help: 'A column of keys as the other formulas take them.',
      },
      {
        ...lookupFamilyParameter,
        optional: true,
        example: '"employee_clean"',
        help: `${lookupFamilyParameter.help} Left out: company_clean, as for CDAPI_ENRICH.`,
      },
      refreshParameter,
    ],
    returns: {
      type: 'Array<Array<number|string>>',
      help: 'Two cells: the credits, and how many of the keys would be bought, how many can’t be read, as of when. Where none can be read, an error that names the first.',
    },
  },
  {
    name: 'CDAPI_CREDITS',
    help: 'The credits that the team may still spend.',
    cost: FREE,
    parameters: [refreshParameter],
    returns: countResult('the credits, or “no limit”'),
  },
  {
    name: 'CDAPI_FIELDS',
    help: 'The fields of a family, to choose from.',
    cost: FREE,
    parameters: [createFamilyParameter(familyNames)],
    returns: {
      type: 'Array<Array<string>>',
      help: 'A row of headings, then a field and its type in each row.',
    },
  },
  {
    name: 'CDAPI_STATUS',
    help: 'The connection, the team, and the last error with what to do.',
    cost: FREE,
    parameters: [refreshParameter],
    returns: { type: 'Array<Array<string|number>>', help: 'A name and a value in each row.' },
  },
];

/**
 * A formula as it would stand in a cell, with an example for each argument but rare ones.
 */
export function buildFormulaExample({ name, parameters }: Formula): string {
  const shown = parameters.filter(({ isRarelyUsed }) => isRarelyUsed !== true);
  return `=${name}(${shown.map(({ example }) => example).join(', ')})`;
}
