// The fields of an index as queries see them: with aliases, and without what a query must name to reach.

import { isObject } from '../../shared/is-object.ts';
import {
  fitsPattern,
  isPattern,
  type MappingLookup,
  mappingLookup,
} from '../../worker/provider/search/fields.ts';
import type { MappedField } from '../../worker/provider/search/mapping.ts';
import { EsError } from './es-error.ts';
import type { EsMapping } from './mapping.ts';
import { isMetaField } from './meta-fields.ts';

/** Makes a mapping ready for look-ups by a query. */
export function queryLookup({ engine, aliases, limited }: EsMapping): MappingLookup {
  const fields = mappingLookup(engine);
  const isReached = ({ path }: MappedField): boolean => !isMetaField(path) && !limited.has(path);
  const aliased = (pattern: string): MappedField[] =>
    [...aliases].flatMap(([alias, path]) => (fitsPattern(alias, pattern) ? (fields.field(path) ?? []) : []));
  return {
    ...fields,
    field: (path) => fields.field(aliases.get(path) ?? path),
    matching: (pattern) => {
      const found = fields.matching(pattern);
      if (!isPattern(pattern)) return found;
      const reached = found.filter(({ path }) => !isMetaField(path));
      const known = new Set(reached.map(({ path }) => path));
      return [...reached, ...aliased(pattern).filter(({ path }) => !known.has(path))];
    },
    defaults: () => fields.defaults().filter(isReached),
  };
}

const FIELD_OPTIONS = new Set(['field', 'fields', 'default_field', 'path']);

/**
 * Refuses a query that asks more of a field than whether it is there, where no more is known.
 * @throws EsError that names the field
 */
export function checkLimited(query: unknown, { limited }: EsMapping): void {
  if (limited.size === 0) return;
  const refuse = (path: string): void => {
    const type = limited.get(path);
    if (type === undefined) return;
    const reason = `field [${path}] of type [${type}] is known by [exists] alone here`;
    throw new EsError(400, 'query_shard_exception', reason);
  };
  const walk = (json: unknown): void => {
    if (Array.isArray(json)) json.forEach(walk);
    if (!isObject(json)) return;
    for (const [name, value] of Object.entries(json)) {
      if (name === 'exists') continue;
      refuse(name);
      const named = FIELD_OPTIONS.has(name) ? [value].flat() : [];
      for (const field of named) refuse(String(field).split('^')[0] ?? '');
      walk(value);
    }
  };
  walk(query);
}
