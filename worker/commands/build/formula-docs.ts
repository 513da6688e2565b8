// Renders docs/formulas.md from the formulas in shared/.
import { type Family, families, familyNames } from '../../../shared/families/index.ts';
import type { Formula, FormulaParameter } from '../../../shared/formula-parts.ts';
import { buildFormulaExample, formulas } from '../../../shared/formulas.ts';
import { defaultFormulaMaxCredits } from '../../../shared/limits.ts';
import { getRecordPrice } from '../../../shared/operations.ts';
import { cellErrors } from '../../../shared/problems.ts';
import { formatPage, formatTable } from './markdown.ts';

function formatArgument({ name, optional, example, help }: FormulaParameter): string[] {
  return [optional ? `\`[${name}]\`` : `\`${name}\``, help, `\`${example}\``];
}

function formatFormula(formula: Formula): string {
  const { name, help, cost, parameters, returns } = formula;
  const arguments_ =
    parameters.length === 0
      ? []
      : [formatTable(['argument', 'what it is', 'for example'], parameters.map(formatArgument))];
  return [
    `## ${name}`,
    `\`${buildFormulaExample(formula)}\``,
    help,
    ...arguments_,
    `**Returns:** ${returns.help}`,
    `**Cost:** ${cost}`,
  ].join('\n\n');
}

const listCellErrors = (): string[][] =>
  Object.entries(cellErrors).map(([error, { label }]) => [`\`${error}\``, label]);

/** Lists the error words of formulas that the sidebar runs again on demand. Pending ones run again by themselves. */
const formatFailedErrors = (): string =>
  Object.entries(cellErrors)
    .flatMap(([error, { passes }]) => (passes && error !== '#PENDING' ? [`\`${error}\``] : []))
    .join(', ');

function formatFamily(family: Family): string[] {
  const fields = families[family].defaultFields.map((field) => `\`${field}\``).join(', ');
  return [`\`${family}\``, String(getRecordPrice(family)), fields];
}

export function renderFormulaDocs(): string {
  return formatPage([
    '# Formulas',
    `Generated from \`shared/formulas.ts\` by \`npm run docs:pages\`. Prices are in credits of the data provider.`,
    formatTable(
      ['formula', 'what it does'],
      formulas.map(({ name, help }) => [`[${name}](#${name.toLowerCase()})`, help]),
    ),
    'A range is one call for each 1,000 different records, whatever its number of rows, and returns a row for each of its rows. A blank cell returns blanks. Numbers stay numbers, dates become dates, a list becomes text joined by `; `, and an integer of more than 15 digits becomes text. Values of records are never run as formulas.',
    'Sheets runs a formula again only when its arguments change: recalculating, reloading, sorting and inserting rows cost nothing. *Extensions → CDAPI → Refresh selection* runs formulas again on purpose, and *Extensions → CDAPI → Freeze to values* keeps what they show.',
    'Semicolons separate arguments in every locale. Where numbers have a decimal point, Sheets replaces them by commas, and accepts commas too.',
    ...formulas.map(formatFormula),
    '## What a cell may hold',
    'A website may have a scheme, a path, quotes, a note such as `(new)`, and slips such as `https//`. An e-mail address stands for its host, also as `Ann <ann@acme.example>`; only the host is sent. A profile URL is one of the professional network: on any other host, `/company/` and `/in/` are pages of a website. Invisible characters are ignored, and international hosts are those that browsers open.',
    formatTable(
      ['a cell with', 'is', 'instead'],
      [
        [
          '`E.ON`, `Acme Inc.`',
          'a company name',
          '`CDAPI_MATCH`, or *Company names* in the sidebar’s tab *Enrich*',
        ],
        [
          '`ann@gmail.com`, `ann@mailinator.com`',
          'an address where anybody has one: at a mail service, an internet provider, a disposable host or a relay',
          'the company’s website',
        ],
        ['`facebook.com/acme`', 'a page on a shared site', 'the company’s website'],
        ['`4711.0`, `4,711`, `1.23457E+15`', 'a number that is no ID', 'a column of plain text'],
      ],
    ),
    'They show `#INVALID_KEY`, cost nothing and are not sent. A text without scheme and `www.` is a website if it ends in a known domain, or in `.example` or `.test`.',
    '## Fields',
    '`fields` is text such as `"name, industry, funding_rounds[0].last_round_type"`, or a range of such texts. Columns follow its order, and a missing field is blank. `CDAPI_FIELDS` lists the fields of a family. By default, these are shown:',
    formatTable(['family', 'credits a record', 'fields'], familyNames.map(formatFamily)),
    '## Unknown names',
    'An unknown field, filter or preview column is rejected before anything is bought, with the nearest name: `"idustry" is not a field of company_clean: did you mean industry?` So are unknown names in a query: `industy:software`, a range of filters, JSON.',
    'The provider adds fields often. To use one that `CDAPI_FIELDS` does not list yet, add the option `any_fields`, as in `=CDAPI_ENRICH(A2; "name, carbon_footprint"; "any_fields")` or `=CDAPI_COUNT("company_clean"; "carbon_footprint:low"; ; "any_fields")`: then no name is rejected, and a name that does not exist stays blank or matches nothing. In the sidebar’s *Query* write `"any_fields": true` beside `"query"`; requests to `/sheets/v1` accept `any_fields` in the body.',
    '## Known values',
    'A range of filters, like the sidebar’s form, accepts common spellings of known values: countries in any case, by ISO code and by common name (`germany`, `DE`, `USA`), sizes, departments, management levels, funding rounds and kinds of employment. Text and JSON queries are sent as written. If nothing matches, `CDAPI_COUNT` says beside the 0 how many records match without each condition.',
    '## Rows that fail',
    'A row that fails shows an error value that a formula can test, as in `=IF(B2="#NOT_FOUND"; ""; B2)`. The other rows are not affected. If the whole call fails, the cell says in one sentence what to do. [Troubleshooting](troubleshooting.md) says for each error what happened, and what to do.',
    formatTable(['error', 'the row is'], listCellErrors()),
    '## What a formula may spend',
    `A run of a formula spends at most its \`max_credits\`. Without \`max_credits\`, the team’s limit for formulas applies: ${defaultFormulaMaxCredits} credits, unless your admin has [set another one](admin.md#teams-and-budgets). A formula that would cost more buys nothing, shows what your team already bought, and \`#CONFIRM\` with its price for the rest. The background refresh of its stale records counts, too: above the limit they stay as they are. A formula of several calls (more than 1,000 keys, 200 companies, 50 names or five pages) buys up to the limit first. The sidebar then says that a formula waits, and runs it under *Tables → Formulas* when you click its price. The spreadsheet remembers this confirmation for the formula, as it is and on its sheet: later runs of it may spend as much. The gateway applies the limit to every call that a formula sends; confirm a price only for a formula that you know.`,
    'Formulas that show `#BUDGET` are not run again automatically when spending is switched on or the budget is raised: the sidebar offers them in the same way.',
    '## Templates',
    'In the sidebar, *Tables → Templates* builds sheets with example rows and formulas: a prospect list, inbound leads, decision makers at accounts, hiring signals, data hygiene. The examples are websites of your spreadsheet, if it has a column of them. Building a sheet is free: its formulas take `max_credits` from cell B3, which is 0, so they show only what your team already bought, and *Set B3 to run* for the rest. B4 shows the price; type it into B3 to run the formulas. *Undo* removes the sheet as long as nobody has changed it.',
    '## All formulas of a spreadsheet',
    'In the sidebar, *Tables → Formulas* lists the formulas by sheet, function and column, so that 1,000 formulas of one column are one entry. Its title is what the columns hold (their headings, else the fields of the formula), with the cells that they fill, their number and errors; for lookups of cells also how many records were found and not found, and how many your team has yet to buy. The age is that of the oldest record among those that this spreadsheet fetched in the last six hours. Google lets a formula keep nothing else, so what its last run cost is not known. The list reads at most 30 sheets, and prices the first twelve entries.',
    `*Run failed again* runs the formulas that can show more, for the price beside the button: those with an error of Sheets, or with one of ${formatFailedErrors()}. *Run all again* carries its price, and runs at once if it is free. Some prices are not known before a formula runs, such as those of previews: then it says so. *Freeze* replaces the formulas by their values, *Merge formulas* replaces formulas of single cells by one for the range; *Undo* brings them back.`,
    '*Formulas here spend credits* holds for everybody and for every formula of a sheet, also for new ones. If it is off, they show only records that your team already bought. Google keeps results by function and arguments: the same formula on another sheet may show `#BUDGET` until it runs again.',
  ]);
}
