// Finds the columns of a workbook that hold something to look up, by what stands in them.
import { type Family, families, familyNames, subjectOf, subjects } from '../../../shared/families/index.ts';
import { normaliseId, normaliseProfileUrl, normaliseWebsite } from '../../../shared/keys/index.ts';
import { lookupKinds } from '../../../shared/operations.ts';
import type { CandidateColumn, KeySort } from '../../server/api/index.ts';
import { getRange, type Sheet, toColumnLetters } from '../../sheet/area.ts';
import type { TableLocation } from '../locate.ts';
import type { TableRecord } from '../registry.ts';

/** A column is judged by its first rows. */
const SAMPLE_ROWS = 1000;
const MAX_COLUMNS = 100;
const EXAMPLES = 3;

/** Of the texts in a column so many must be keys. */
const MIN_KEY_SHARE = 0.6;

const toText = (cell: unknown): string => String(cell ?? '').trim();

/** Digits alone may be anything: a heading has to say that they are ids. */
const ID_HEADING = /(?:^|[\s_-])ids?$/i;

/** The first family of each subject, where its records have profiles. */
const profileFamilies = familyNames.filter((family, at) => {
  const { subject } = families[family];
  const isFirst = familyNames.findIndex((other) => families[other].subject === subject) === at;
  return isFirst && subjects[subject].profileSegments.length > 0;
});

/** What a text is a key of; undefined where it is none. */
function detectKeyKind(text: string): KeySort | undefined {
  if (normaliseId(text).ok) return 'id';
  if (!text.includes('.')) return undefined;
  if (profileFamilies.some((family) => normaliseProfileUrl(text, family).ok)) return 'url';
  return normaliseWebsite(text).ok ? 'website' : undefined;
}

/** The families that such keys look up, the likeliest first. */
function listFamilies(kind: KeySort, texts: readonly string[], heading: string): Family[] {
  const wanted = kind === 'url' ? 'shorthand_name' : kind;
  const able = familyNames.filter((family) => lookupKinds(family).includes(wanted));
  if (kind === 'website') return able;
  if (kind === 'url') {
    const fits = (family: Family): number =>
      texts.filter((text) => normaliseProfileUrl(text, family).ok).length;
    return able.filter((family) => fits(family) > 0).sort((one, other) => fits(other) - fits(one));
  }
  // A later subject has the more specific words.
  const likely = Object.values(subjects)
    .reverse()
    .find(({ idHeading }) => idHeading.test(heading));
  const rank = (family: Family): number => (subjectOf(family) === likely ? 0 : 1);
  return [...able].sort((one, other) => rank(one) - rank(other));
}

/** The first text of a column, and whether it is a heading rather than a key. */
function findHeading(cells: readonly unknown[]): { at: number; text: string; isKey: boolean } | undefined {
  const at = cells.findIndex((cell) => toText(cell) !== '');
  if (at < 0) return undefined;
  const text = toText(cells[at]);
  return { at, text, isKey: detectKeyKind(text) !== undefined };
}

function toCandidate(
  sheet: Sheet,
  column: number,
  cells: readonly unknown[],
  start: number,
  family: Family | undefined,
): CandidateColumn | undefined {
  const first = findHeading(cells.slice(start));
  if (first === undefined) return undefined;
  const heading = first.isKey ? '' : first.text;
  const texts = cells
    .slice(start + first.at + (first.isKey ? 0 : 1))
    .map(toText)
    .filter((text) => text !== '');
  const sorts = texts.map(detectKeyKind);
  const counted = (['website', 'url', 'id'] as const).map((kind) => ({
    kind,
    keys: texts.filter((_, at) => sorts[at] === kind),
  }));
  const [best] = counted.sort((one, other) => other.keys.length - one.keys.length);
  if (best === undefined || best.keys.length === 0 || best.keys.length < texts.length * MIN_KEY_SHARE)
    return undefined;
  if (best.kind === 'id' && family === undefined && !ID_HEADING.test(heading)) return undefined;
  const { kind, keys } = best;
  const likely = listFamilies(kind, keys, heading);
  return {
    sheet: sheet.getName(),
    column,
    letter: toColumnLetters(column),
    heading,
    headingRow: first.isKey ? 0 : start + first.at + 1,
    kind,
    families: family === undefined ? likely : [family, ...likely.filter((each) => each !== family)],
    keys: keys.length,
    distinct: new Set(keys).size,
    examples: [...new Set(keys)].slice(0, EXAMPLES),
  };
}

/** Where a table's column of ids is: its digits are ids, of its family. */
function listIdColumns(tables: readonly TableRecord[], places: ReadonlyMap<string, TableLocation>) {
  return tables.flatMap((table) => {
    const location = places.get(table.id);
    const at = table.columns.findIndex(({ path, role }) => path === 'id' && role === 'value');
    const column = location?.columns[at];
    if (location === undefined || column === undefined) return [];
    return [{ sheet: location.sheet.getSheetId(), row: location.row, column, family: table.family }];
  });
}

/**
 * Finds columns that hold websites, profile URLs or ids, those of the open sheet first.
 * @param places - where the tables are that are remembered
 */
export function listCandidateColumns(
  tables: readonly TableRecord[],
  places: ReadonlyMap<string, TableLocation>,
): CandidateColumn[] {
  const active = SpreadsheetApp.getActiveSheet().getSheetId();
  const ids = listIdColumns(tables, places);
  const sheets = SpreadsheetApp.getActiveSpreadsheet()
    .getSheets()
    .filter((sheet) => !sheet.isSheetHidden() && sheet.getLastRow() > 0);
  return [...sheets]
    .sort((one, other) => Number(other.getSheetId() === active) - Number(one.getSheetId() === active))
    .flatMap((sheet) => {
      const rows = Math.min(SAMPLE_ROWS, sheet.getLastRow());
      const columns = Math.min(MAX_COLUMNS, sheet.getLastColumn());
      const cells: unknown[][] = getRange(sheet, { row: 1, column: 1, rows, columns }).getValues();
      return Array.from({ length: columns }, (_, at) => at).flatMap((at) => {
        const own = ids.find(({ sheet: id, column }) => id === sheet.getSheetId() && column === at + 1);
        const start = own === undefined ? 0 : own.row - 1;
        const judge = (lines: unknown[][], place: number): CandidateColumn | undefined =>
          toCandidate(
            sheet,
            at + 1,
            lines.map((line) => line[place]),
            start,
            own?.family,
          );
        const candidate = judge(cells, at);
        if (candidate === undefined || rows === sheet.getLastRow()) return candidate ?? [];
        // Its keys are counted, not only those among the rows that it was judged by.
        const all = { row: 1, column: at + 1, rows: sheet.getLastRow(), columns: 1 };
        return judge(getRange(sheet, all).getValues(), 0) ?? candidate;
      });
    });
}

/**
 * The heading of a column that is to be looked up: its first text, unless that is a key itself.
 * @returns the heading's row and text; a row of 0 where it has none, with the row of the first key
 */
export function findKeyHeading(sheet: Sheet, column: number): { row: number; text: string; first: number } {
  const rows = Math.max(1, sheet.getLastRow());
  const cells = getRange(sheet, { row: 1, column, rows, columns: 1 })
    .getValues()
    .map(([cell]): unknown => cell);
  const first = findHeading(cells);
  if (first === undefined) return { row: 0, text: '', first: 1 };
  return first.isKey
    ? { row: 0, text: '', first: first.at + 1 }
    : { row: first.at + 1, text: first.text, first: first.at + 2 };
}
