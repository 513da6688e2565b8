// The custom functions: names, parameters, help texts and prices. The add-on's JSDoc and docs/formulas.md are generated from them.
import { familyNames } from './families/index.ts';
import { previewMaxPage, previewPageSize } from './families/previews.ts';
import {
  argumentSeparator,
  CELL_RANGE,
  countResult,
  createAccountCount,
  createAccountFormula,
  createFamilyParameter,
  createVariantOptions,
  describeRecordCost,
  type Formula,
  FREE,
  fieldsParameter,
  KEY_RANGE,
  keyParameter,
  listFamiliesWith,
  lookupFamilyParameter,
  matchCost,
  matchOptionsParameter,
  NUMBER,
  optionsParameter,
  previewCost,
  previewOptionsParameter,
  queryOptionsParameter,
  queryParameter,
  recordsResult,
  refreshOptionsParameter,
  refreshParameter,
  searchFamilyParameter,
  TEXT,
  TEXT_RANGE,
} from './formula-parts.ts';
import { defaultSearchIds, maxSearchIds } from './limits.ts';

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
    cost: `${describeRecordCost('company_base', 'company_multi_source')} These are raw profiles, another data set than that of CDAPI_ENRICH: a company costs credits in each.`,
    parameters: [
      keyParameter,
      fieldsParameter,
      createVariantOptions(
        'variant=clean or variant=multi-source returns that record.',
        '"header, variant=clean"',
      ),
    ],
    returns: recordsResult('cell'),
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
    returns: recordsResult('cell'),
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
    name: 'CDAPI_MATCH',
    help: 'The companies with these names, although they are spelled differently.',
    cost: matchCost,
    parameters: [
      {
        name: 'names',
        type: TEXT_RANGE,
        optional: false,
        example: 'A2:A100',
        help: 'A company name or a column of names.',
      },
      {
        name: 'countries',
        type: TEXT_RANGE,
        optional: true,
        example: 'B2:B100',
        help: 'The country, or a column of countries.',
      },
      {
        name: 'cities',
        type: TEXT_RANGE,
        optional: true,
        example: 'C2:C100',
        isRarelyUsed: true,
        help: 'The city, or a column of cities.',
      },
      matchOptionsParameter,
    ],
    returns: {
      type: CELL_RANGE,
      help: 'One row for each name: name, website, id, confidence from 0 to 1, and a note that lists candidates if it is not certain.',
    },
  },
  createAccountFormula(
    'CDAPI_PEOPLE',
    'people',
    'People who work at these companies now.',
    '"job_title:sales"',
  ),
  createAccountFormula('CDAPI_JOBS', 'jobs', 'Open jobs at these companies.', '"title:engineer"'),
  createAccountCount('CDAPI_PEOPLE_COUNT', 'The number of people at each company.', '"department:Marketing"'),
  createAccountCount('CDAPI_JOBS_COUNT', 'The number of open jobs at each company.', '"title:sales"'),
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
    help: 'The cost of looking up these cells: the unique records that your team has not bought yet, times the price.',
    cost: FREE,
    parameters: [
      {
        name: 'keys',
        type: KEY_RANGE,
        optional: false,
        example: 'A2:A100',
        help: 'A column of websites, ids or profile URLs, as for the lookup formulas.',
      },
      {
        ...lookupFamilyParameter,
        optional: true,
        example: '"employee_clean"',
        help: `${lookupFamilyParameter.help} Default: company_clean, as for CDAPI_ENRICH.`,
      },
      refreshParameter,
      refreshOptionsParameter,
    ],
    returns: {
      type: 'Array<Array<number|string>>',
      help: 'Two cells: the credits, and a note with the number of records to buy, the number of cells that can’t be looked up and the time. If none can, an error that says what the first one is.',
    },
  },
  {
    name: 'CDAPI_CREDITS',
    help: 'The credits that your team may still spend.',
    cost: FREE,
    parameters: [refreshParameter, refreshOptionsParameter],
    returns: countResult('the credits, or “no limit”'),
  },
  {
    name: 'CDAPI_FIELDS',
    help: 'The fields of a family.',
    cost: FREE,
    parameters: [createFamilyParameter(familyNames), refreshOptionsParameter],
    returns: {
      type: 'Array<Array<string>>',
      help: 'A heading row, then one field and its type in each row.',
    },
  },
  {
    name: 'CDAPI_STATUS',
    help: 'The connection, the team, and the last error with its fix.',
    cost: FREE,
    parameters: [refreshParameter, refreshOptionsParameter],
    returns: { type: 'Array<Array<string|number>>', help: 'One name and value in each row.' },
  },
];

/** Builds an example call of a formula, without its rarely used parameters. */
export function buildFormulaExample({ name, parameters }: Formula): string {
  const shown = parameters.filter(({ isRarelyUsed }) => isRarelyUsed !== true);
  return `=${name}(${shown.map(({ example }) => example).join(argumentSeparator)})`;
}
