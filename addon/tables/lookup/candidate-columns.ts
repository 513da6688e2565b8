// Detects columns with keys to look up, by their contents.

import { type Family, families, familyNames, getSubject, subjects } from '../../../shared/families/index.ts';
import { namesPerson } from '../../../shared/keys/email.ts';
import {
  normaliseId,
  normaliseProfileUrl,
  normaliseWebsiteOrEmail,
  resolveKey,
} from '../../../shared/keys/index.ts';
import { matchFamilies } from '../../../shared/matching/families.ts';
import { getLookupKinds } from '../../../shared/operations.ts';
import { toColumnLetters } from '../../../shared/table/columns.ts';
import type { CandidateColumn, ColumnKeyKind } from '../../server/api/index.ts';
import { getRange, type Sheet } from '../../sheet/area.ts';
import type { TableLocation } from '../locate.ts';
import type { TableRecord } from '../registry.ts';
import { findColumnSources, listBeside } from './beside.ts';

/** A column is judged by its first rows. */
const SAMPLE_ROWS = 1000;
const MAX_COLUMNS = 100;
const EXAMPLES = 3;

/** The minimum share of keys among the texts of a column that clearly holds keys, and of one that is only offered. */
const CLEAR_SHARE = 0.6;
const MIN_SHARE = 0.4;

const toText = (cell: unknown): string => String(cell ?? '').trim();

/** Below such a heading a column is offered for a single website, e-mail address or link. */
const KEY_HEADING =
  /^(?:(?:company|business|work|main)[\s_-])?(?:web[\s_-]?(?:site|page|seite)|homepage|site|domain|domäne|url|link|profile|e-?mail)s?(?:[\s_-](?:url|link|address))?(?:e?s)?$/i;

/** Plain digits count as ids only below such a heading. */
const ID_HEADING = /(?:^|[\s_-])ids?$/i;

/** Texts count as company names only below such a heading. */
export const NAME_HEADING =
  /^(?:(?:target|key|parent|current|former)[\s_-])?(?:(?:company|companies|account|agenc(?:y|ie)|brand|business|client|customer|employer|firm|organi[sz]ation|partner|prospect|supplier|vendor)s?|firm[ae]n?|unternehmen|kunden?|empresas?|cuentas?|entreprises?|soci[eé]t[eé]s?|aziend[ae]|bedrij(?:f|ven))(?:[\s_-]?names?)?$/i;

/** The first family of each subject with profiles. */
const profileFamilies = familyNames.filter((family, at) => {
  const { subject } = families[family];
  const isFirst = familyNames.findIndex((each) => families[each].subject === subject) === at;
  return isFirst && subjects[subject].profileSegments.length > 0;
});

/** Detects the kind of key in a text; undefined if it is none. */
function detectKeyKind(text: string): ColumnKeyKind | undefined {
  if (normaliseId(text).ok) return 'id';
  if (!text.includes('.')) return undefined;
  if (profileFamilies.some((family) => normaliseProfileUrl(text, family).ok)) return 'url';
  return normaliseWebsiteOrEmail(text).ok ? 'website' : undefined;
}

/** Lists families with lookups by these keys, the likeliest first. */
function listFamilies(kind: ColumnKeyKind, texts: readonly string[], heading: string): Family[] {
  if (kind === 'name') return [...matchFamilies];
  const wanted = kind === 'url' ? 'shorthand_name' : kind;
  const able = familyNames.filter((family) => getLookupKinds(family).includes(wanted));
  if (kind === 'website') return able;
  if (kind === 'url') {
    const fits = (family: Family): number =>
      texts.filter((text) => normaliseProfileUrl(text, family).ok).length;
    return able.filter((family) => fits(family) > 0).sort((a, b) => fits(b) - fits(a));
  }
  // Later subjects have more specific words.
  const likely = Object.values(subjects)
    .reverse()
    .find(({ idHeadingPattern }) => idHeadingPattern.test(heading));
  const rank = (family: Family): number => (getSubject(family) === likely ? 0 : 1);
  return [...able].sort((a, b) => rank(a) - rank(b));
}

/** Titles and notes may stand above a heading: at most this number of texts. */
const MAX_TITLES = 5;

/**
 * Finds the heading of a column: the first text, unless one of the next is a usual heading of keys, or titles stand above
 * an empty cell. Values below the heading of names may look like one. `isKey`: it is a key rather than a heading.
 */
function findHeading(cells: readonly unknown[]): { at: number; text: string; isKey: boolean } | undefined {
  const texts: { at: number; text: string }[] = [];
  let gap = -1;
  for (let at = 0; at < cells.length && texts.length <= MAX_TITLES; at += 1) {
    const text = toText(cells[at]);
    if (text !== '' && detectKeyKind(text) !== undefined) {
      const heading = texts.find((each) => each.at > gap) ?? texts[0];
      return { ...(heading ?? { at, text }), isKey: heading === undefined };
    }
    if (text === '') gap = at;
    if (KEY_HEADING.test(text) || ID_HEADING.test(text)) return { at, text, isKey: false };
    if (text !== '') texts.push({ at, text });
    if (NAME_HEADING.test(text)) break;
  }
  const [first] = texts;
  return first && { ...first, isKey: false };
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
  const [most] = counted.sort((a, b) => b.keys.length - a.keys.length);
  const names = texts.filter((text) => !namesPerson(text));
  const isPlainNumber = most?.kind === 'id' && family === undefined && !ID_HEADING.test(heading);
  const hasShare = (share: number): boolean =>
    most !== undefined && !isPlainNumber && most.keys.length > 0 && most.keys.length >= texts.length * share;
  const isOffered = hasShare(KEY_HEADING.test(heading) ? 0 : MIN_SHARE);
  const best =
    !hasShare(CLEAR_SHARE) && names.length > 0 && NAME_HEADING.test(heading)
      ? { kind: 'name' as const, keys: names }
      : isOffered && most;
  if (!best) return undefined;
  const { kind, keys } = best;
  const likely = listFamilies(kind, keys, heading);
  const [main] = likely;
  const normalise = (text: string): string => {
    const key = main === undefined || kind === 'name' ? undefined : resolveKey(main, kind, text);
    return key?.ok ? key.value : text;
  };
  return {
    sheet: sheet.getName(),
    column,
    letter: toColumnLetters(column),
    heading,
    headingRow: start + first.at + (first.isKey ? 0 : 1),
    kind,
    families: family === undefined ? likely : [family, ...likely.filter((each) => each !== family)],
    keys: keys.length,
    distinct: new Set(keys.map(normalise)).size,
    ...(keys.length < texts.length ? { cells: texts.length } : {}),
    examples: [...new Set(keys)].slice(0, EXAMPLES),
  };
}

/**
 * Ranks a column in its sheet. Names come after keys, which find their records for less; last come columns whose heading
 * does not say that they should hold keys, and which hold few.
 */
function getRank({ kind, keys, cells = keys, heading }: CandidateColumn): number {
  if (kind === 'name') return 2;
  if (keys >= cells * CLEAR_SHARE) return 0;
  return KEY_HEADING.test(heading) ? 1 : 3;
}

/** Lists the id columns of tracked tables: their digits are ids of the table's family. */
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
 * Detects columns with websites or e-mail addresses, profile URLs, ids or company names. Those of the active sheet come
 * first.
 * @param places - the locations of tracked tables
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
    .sort((a, b) => Number(b.getSheetId() === active) - Number(a.getSheetId() === active))
    .flatMap((sheet) => {
      const rows = Math.min(SAMPLE_ROWS, sheet.getLastRow());
      const columns = Math.min(MAX_COLUMNS, sheet.getLastColumn());
      const range = getRange(sheet, { row: 1, column: 1, rows, columns });
      const cells: unknown[][] = range.getValues();
      const found = Array.from({ length: columns }, (_, at) => at).flatMap((at) => {
        const idColumn = ids.find(({ sheet: id, column }) => id === sheet.getSheetId() && column === at + 1);
        const start = idColumn === undefined ? 0 : idColumn.row - 1;
        const judge = (lines: unknown[][], place: number): CandidateColumn | undefined =>
          toCandidate(
            sheet,
            at + 1,
            lines.map((line) => line[place]),
            start,
            idColumn?.family,
          );
        const candidate = judge(cells, at);
        if (candidate === undefined || rows === sheet.getLastRow()) return candidate ?? [];
        // Count the keys of the whole column, not only of the sample.
        const all = { row: 1, column: at + 1, rows: sheet.getLastRow(), columns: 1 };
        return judge(getRange(sheet, all).getValues(), 0) ?? candidate;
      });
      if (found.length === 0) return [];
      const all = { values: cells, formulas: range.getFormulas(), rows, columns };
      const sources = findColumnSources(sheet, all, tables, places);
      return found
        .map((candidate) => ({ ...candidate, beside: listBeside(candidate, all, sources) }))
        .sort((a, b) => getRank(a) - getRank(b));
    });
}

/**
 * Finds the heading of a key column: its first text, unless that is a key.
 * @returns the row of the heading, its text, and the first row of keys; the row is 0 if there is no cell for a heading
 */
export function findKeyHeading(sheet: Sheet, column: number): { row: number; text: string; first: number } {
  const rows = Math.max(1, sheet.getLastRow());
  const cells = getRange(sheet, { row: 1, column, rows, columns: 1 })
    .getValues()
    .map(([cell]): unknown => cell);
  const first = findHeading(cells);
  if (first === undefined) return { row: 0, text: '', first: 1 };
  // The cell above the first key is free for a heading.
  return first.isKey
    ? { row: first.at, text: '', first: first.at + 1 }
    : { row: first.at + 1, text: first.text, first: first.at + 2 };
}
