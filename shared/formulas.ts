// The formulas, as data: their names, arguments and help. The built add-on's JSDoc and the documentation come from it.

/** One argument, in the order in which it is given. */
export interface FormulaParameter {
  name: string;
  /** As JSDoc has it. */
  type: string;
  optional: boolean;
  /** As it would stand in a cell. */
  example: string;
  help: string;
}

export interface Formula {
  name: string;
  help: string;
  parameters: readonly FormulaParameter[];
  returns: { type: string; help: string };
}

const fieldsParameter: FormulaParameter = {
  name: 'fields',
  type: 'string|Array<Array<string>>',
  optional: true,
  example: '"name, industry"',
  help: 'The fields to show, separated by commas, or a range that holds them. Left out: the most useful ones.',
};

const optionsParameter: FormulaParameter = {
  name: 'options',
  type: 'string',
  optional: true,
  example: '"header, max_age=7d"',
  help: 'header adds a row of headings; max_age=7d buys again what is older than seven days.',
};

export const formulas: readonly Formula[] = [
  {
    name: 'CDAPI_ENRICH',
    help: 'Company data for a website, or for a whole column of websites in one call.',
    parameters: [
      {
        name: 'website',
        type: 'string|Array<Array<string>>',
        optional: false,
        example: 'A2:A100',
        help: 'A website such as example.com, or a column of them.',
      },
      fieldsParameter,
      optionsParameter,
    ],
    returns: {
      type: 'Array<Array<string|number|boolean|Date>>',
      help: 'One row for each website. A row that fails says why, such as #NOT_FOUND.',
    },
  },
];
