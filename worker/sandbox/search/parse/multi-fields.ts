// Resolves field names with boosts and patterns, and combines queries over several fields.
import type { MappedField } from '../../../../shared/index-fields/mapping.ts';
import type { Query } from '../query.ts';
import { buildDisMax, MATCH_NONE, withBoost } from './combine.ts';
import { findField } from './leaves.ts';
import { creationError, MAX_CLAUSES, QueryError, type Scope } from './scope.ts';

export interface WeightedField {
  field: MappedField;
  boost: number;
}

export const ALL_FIELDS = '*';

/** Finds the fields of a name or pattern; none if it is not mapped. */
export function findFields(scope: Scope, name: string): readonly MappedField[] {
  if (name === ALL_FIELDS) return scope.mapping.getDefaultFields();
  if (name.includes('*'))
    return scope.mapping.findMatching(name).filter((field) => field.property.type !== 'binary');
  const field = findField(scope, name);
  return field === undefined ? [] : [field];
}

function parseWeight(clause: string, weightedName: string): { name: string; boost: number } {
  const at = weightedName.indexOf('^');
  if (at < 0) return { name: weightedName, boost: 1 };
  const boostText = weightedName.slice(at + 1).trim();
  const boost = boostText === '' ? Number.NaN : Number(boostText);
  if (!Number.isFinite(boost) || boost < 0) {
    throw new QueryError(`[${clause}] failed to parse the boost of field [${weightedName}]`);
  }
  return { name: weightedName.slice(0, at), boost };
}

/**
 * Resolves names such as `name^2` and `location_*`; no names are all fields. The boosts of a field that several names
 * match are multiplied.
 * @returns the fields, and whether all fields were requested; values that don't fit a field are ignored then
 * @throws QueryError for an invalid boost or too many fields
 */
export function resolveFields(
  scope: Scope,
  clause: string,
  names: readonly string[] = [],
): { fields: readonly WeightedField[]; all: boolean } {
  const weighted = new Map<string, WeightedField>();
  let all = false;
  for (const weightedName of names.length === 0 ? [ALL_FIELDS] : names) {
    const { name, boost } = parseWeight(clause, weightedName);
    all ||= name === ALL_FIELDS;
    for (const field of findFields(scope, name)) {
      const previous = weighted.get(field.path)?.boost ?? 1;
      weighted.set(field.path, { field, boost: Math.min(boost * previous, Number.MAX_VALUE) });
    }
    if (weighted.size > MAX_CLAUSES) {
      throw creationError(
        `field expansion matches too many fields, limit: ${MAX_CLAUSES}, got: ${weighted.size}`,
      );
    }
  }
  return { fields: [...weighted.values()], all };
}

/** Adds a suffix to field names for phrases, if the resulting fields are mapped. */
export function applySuffix(
  scope: Scope,
  fields: readonly WeightedField[],
  suffix: string | undefined,
): readonly WeightedField[] {
  if (suffix === undefined) return fields;
  return fields.map(({ field, boost }) => ({ field: findField(scope, field.path + suffix) ?? field, boost }));
}

/**
 * Builds a query for each field and takes the best.
 * @param buildQuery - returns undefined if the text has no terms in the field
 * @returns undefined if the text has no terms in any field
 */
export function buildBestField(
  fields: readonly WeightedField[],
  tieBreaker: number,
  buildQuery: (field: MappedField) => Query | undefined,
): Query | undefined {
  if (fields.length === 0) return MATCH_NONE;
  const queries: Query[] = [];
  for (const { field, boost } of fields) {
    const query = buildQuery(field);
    if (query !== undefined) queries.push(withBoost(query, boost));
  }
  return queries.length === 0 ? undefined : buildDisMax(queries, tieBreaker);
}
