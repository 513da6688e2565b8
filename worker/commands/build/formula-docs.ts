// Generates docs/formulas.md from the formulas in shared/. A test checks that the page is current.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Family, families, familyNames } from '../../../shared/families/index.ts';
import type { FormulaParameter } from '../../../shared/formula-parts.ts';
import { buildFormulaExample, type Formula, formulas } from '../../../shared/formulas.ts';
import { getRecordPrice } from '../../../shared/operations.ts';
import { type CellError, getCellError, isProblemCode, problems } from '../../../shared/problems.ts';
import { root } from '../paths.ts';

/** Path of the generated page. */
export const FORMULA_DOCS_FILE = join(root, 'docs', 'formulas.md');

const COMMAND = 'npm run docs:formulas';

/** Escapes pipes, which would end a table cell. */
const escapeCell = (text: string): string => text.replaceAll('|', '\\|');

function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatLine = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [formatLine(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(formatLine)].join('\n');
}

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
    `**Gives:** ${returns.help}`,
    `**Costs:** ${cost}`,
  ].join('\n\n');
}

function listErrorWords(): string[][] {
  const reasons = new Map<CellError, Set<string>>();
  for (const [code, { title, fix }] of Object.entries(problems)) {
    if (!isProblemCode(code) || !('cell' in problems[code])) continue;
    const word = getCellError(code);
    reasons.set(word, (reasons.get(word) ?? new Set()).add(`${title} ${fix}`));
  }
  return [...reasons].map(([word, sentences]) => [`\`${word}\``, [...sentences].join('<br>')]);
}

function formatFamily(family: Family): string[] {
  const fields = families[family].defaultFields.map((field) => `\`${field}\``).join(', ');
  return [`\`${family}\``, String(getRecordPrice(family)), fields];
}

/**
 * Renders the page about the formulas.
 * @returns Markdown
 */
export function renderFormulaDocs(): string {
  return `${[
    '# Formulas',
    `Made from \`shared/formulas.ts\` by \`${COMMAND}\`. Prices are in credits of the data provider.`,
    formatTable(
      ['formula', 'what it does'],
      formulas.map(({ name, help }) => [`[${name}](#${name.toLowerCase()})`, help]),
    ),
    'A range costs one call for each 1,000 different keys, however many rows it has, and gives a row for each of its rows: blank in, blank out. Numbers stay numbers, dates become dates, a list becomes text joined by `; `, and an id of 19 digits stays text. Nothing that a record holds is run as a formula.',
    'Sheets runs a formula again only when its arguments change: recalculating, reloading, sorting and inserting rows cost nothing. *CDAPI → Refresh selection* runs formulas again on purpose, and *CDAPI → Freeze to values* keeps what they show.',
    ...formulas.map(formatFormula),
    '## Fields',
    '`fields` is a text such as `"name, industry, funding_rounds[0].last_round_type"`, or a range that holds such texts. Their order is kept, and a field that a record has not is blank. `CDAPI_FIELDS` lists those of a family. Left out, these are shown:',
    formatTable(['family', 'credits a record', 'fields'], familyNames.map(formatFamily)),
    '## Names that are not known',
    'A field, a filter or a column of a preview whose name no list has is refused before anything is bought, with the nearest name: `"idustry" is not a field of company_clean: did you mean industry?` The same holds for the names in a query: `industy:software`, a range of filters, JSON.',
    'The provider adds fields all the time. To use one that `CDAPI_FIELDS` does not list yet, write `any_fields` into the options, as in `=CDAPI_ENRICH(A2, "name, carbon_footprint", "any_fields")` or `=CDAPI_COUNT("company_clean", "carbon_footprint:low", , "any_fields")`: then no name is refused, and one that there is not stays blank or finds nothing. In the sidebar’s *Query* write `"any_fields": true` beside `"query"`; calls of `/sheets/v1` take `any_fields` in their bodies.',
    '## Values that are known',
    'In a range of filters, as in the sidebar’s form, values that the lists have match however they are typed: countries in any case, by their ISO codes and by common names (`germany`, `DE`, `USA`), and so do sizes, departments, management levels, funding rounds and kinds of employment. Words and JSON are asked as they are written. Where nothing matches, `CDAPI_COUNT` says beside the 0 how many match without each of the conditions.',
    '## Rows that fail',
    'A row that fails says so in a word that a formula can test, as in `=IF(B2="#NOT_FOUND", "", B2)`; the other rows are unharmed. A call that fails whole says in one sentence what to do.',
    formatTable(['word', 'what happened, and what to do'], listErrorWords()),
  ].join('\n\n')}\n`;
}

if (import.meta.main) await writeFile(FORMULA_DOCS_FILE, renderFormulaDocs());
