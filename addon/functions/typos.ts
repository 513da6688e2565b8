// Tells misspelt fields from those that a record just does not have.
import type { Connection } from '../../shared/connection.ts';
import type { Family } from '../../shared/families.ts';
import { isTypo, nearest } from '../../shared/nearest.ts';
import type { Column } from '../../shared/sheets-api.ts';
import { fieldsOf } from '../gateway.ts';
import { type Memory, memoryOf } from '../memory.ts';
import { quoted } from './arguments.ts';
import { queryFields } from './queries.ts';

const isName = (value: unknown): value is string => typeof value === 'string';

/** The first names of columns, each once. */
function firstNames(columns: readonly Column[]): string[] {
  return [...new Set(columns.flatMap(({ name }) => name.split('.')[0] ?? []))];
}

/** The fields that a family's records are known to have; none where the gateway does not say. */
function knownFields(connection: Connection, memory: Memory, family: Family): readonly string[] {
  const name = ['fields', family];
  const kept = memory.find(name);
  if (Array.isArray(kept)) return kept.filter(isName);
  const answer = fieldsOf(connection, family);
  if (!answer.ok) return [];
  const names = firstNames(answer.body.columns);
  memory.keep(name, names);
  return names;
}

/**
 * Says which name was probably meant.
 * @param name - one that nobody has
 * @throws Error with one sentence, where a known name is so close that it was probably meant
 */
export function refuseTypo(name: string, known: readonly string[], family: Family): void {
  if (known.length === 0 || known.includes(name)) return;
  const meant = nearest(name, known);
  if (isTypo(name, meant)) {
    throw new Error(`${quoted(name)} is not a field of ${family}: did you mean ${meant}?`);
  }
}

/**
 * Refuses a query that finds nothing because a field in it is misspelt.
 * @param argument - the query as the formula got it
 * @throws Error with one sentence that has the known name
 */
export function refuseQueryTypos(connection: Connection, family: Family, argument: unknown): void {
  const names = queryFields(family, argument);
  if (names.length === 0) return;
  const known = knownFields(connection, memoryOf(connection), family);
  for (const name of names) refuseTypo(name, known, family);
}

/**
 * Refuses a field that is misspelt. The provider adds fields all the time, so that a name which nobody here knows may
 * well exist: it is refused only where none of the records has it and a known name is so close that it was probably meant.
 * Any other unknown name leaves its cells blank. What was bought is remembered: corrected, the formula costs nothing.
 * @param names - the first names of the fields that were asked
 * @param rows - what came of the keys
 * @throws Error with one sentence that has the known name
 */
export function refuseTypos(
  connection: Connection,
  memory: Memory,
  family: Family,
  names: readonly string[],
  rows: Iterable<unknown>,
): void {
  const records: object[] = [];
  for (const row of rows) {
    if (typeof row !== 'object' || row === null || !('record' in row)) continue;
    if (typeof row.record === 'object' && row.record !== null) records.push(row.record);
  }
  if (records.length === 0) return;
  const present = new Set(records.flatMap((record) => Object.keys(record)));
  const absent = names.filter((name) => !present.has(name));
  if (absent.length === 0) return;
  const known = knownFields(connection, memory, family);
  for (const name of absent) refuseTypo(name, known, family);
}
