// Several fields at once: names with boosts and patterns, resolved to fields of the mapping.
import { isPattern } from '../fields.ts';
import type { MappedField } from '../mapping.ts';
import type { Query } from '../query.ts';
import { buildDisMax, MATCH_NONE, withBoost } from './combine.ts';
import { FieldError, QueryError, toCreationMessage } from './errors.ts';
import { findField } from './leaves.ts';
import type { Scope } from './scope.ts';

/** A field, with what it weighs. */
export interface WeightedField {
  field: MappedField;
  boost: number;
}

/** The name that stands for all fields. */
export const ALL_FIELDS = '*';

/** The fields that a name or a pattern stands for, none if it is not mapped. */
export function findFields(scope: Scope, name: string): readonly MappedField[] {
  if (name === ALL_FIELDS) return scope.mapping.getDefaultFields();
  if (isPattern(name))
    return scope.mapping.findMatching(name).filter((field) => field.property.type !== 'binary');
  const field = findField(scope, name);
  return field === undefined ? [] : [field];
}

function parseWeight(clause: string, given: string): { name: string; boost: number } {
  const at = given.indexOf('^');
  if (at < 0) return { name: given, boost: 1 };
  const text = given.slice(at + 1).trim();
  const boost = text === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(boost) || boost < 0) {
    throw new QueryError(`[${clause}] failed to parse the boost of field [${given}]`);
  }
  return { name: given.slice(0, at), boost };
}

/**
 * Resolves names such as `name^2` and `location_*`. A field that several of them stand for has their boosts multiplied.
 * @returns the fields, and whether all fields were asked for: texts that do not fit some of them are overlooked then
 * @throws QueryError for a boost that is none, or too many fields
 */
export function resolveFields(
  scope: Scope,
  clause: string,
  names: readonly string[] = [ALL_FIELDS],
): { fields: readonly WeightedField[]; all: boolean } {
  const weighted = new Map<string, WeightedField>();
  let all = false;
  for (const given of names) {
    const { name, boost } = parseWeight(clause, given);
    all ||= name === ALL_FIELDS;
    for (const field of findFields(scope, name)) {
      const before = weighted.get(field.path)?.boost ?? 1;
      weighted.set(field.path, { field, boost: Math.min(boost * before, Number.MAX_VALUE) });
    }
    if (weighted.size > scope.budget.limit) {
      throw new QueryError(
        toCreationMessage(
          `field expansion matches too many fields, limit: ${scope.budget.limit}, got: ${weighted.size}`,
        ),
      );
    }
  }
  return { fields: [...weighted.values()], all };
}

/** The fields in which phrases are looked for: those of the same name with a suffix, where they are mapped. */
export function applySuffix(
  scope: Scope,
  fields: readonly WeightedField[],
  suffix: string | undefined,
): readonly WeightedField[] {
  if (suffix === undefined) return fields;
  return fields.map(({ field, boost }) => ({ field: findField(scope, field.path + suffix) ?? field, boost }));
}

/**
 * Asks each field the same and takes the best.
 * @param ask - undefined for a field in which the text has no term
 * @returns undefined if the text has no term in any field
 */
export function buildBestField(
  fields: readonly WeightedField[],
  tieBreaker: number,
  ask: (field: MappedField) => Query | undefined,
): Query | undefined {
  if (fields.length === 0) return MATCH_NONE;
  const queries: Query[] = [];
  for (const { field, boost } of fields) {
    const query = ask(field);
    if (query !== undefined) queries.push(withBoost(query, boost));
  }
  return queries.length === 0 ? undefined : buildDisMax(queries, tieBreaker);
}

/** Overlooks what does not fit a field, where that is asked for. */
export function withLenience<T>(lenient: boolean, ask: () => T): T | typeof MATCH_NONE {
  try {
    return ask();
  } catch (error) {
    if (lenient && error instanceof FieldError) return MATCH_NONE;
    throw error;
  }
}
