// The fields of an index as queries see them: with aliases, and without what a query must name to reach.
import {
  createMappingLookup,
  type MappingLookup,
  matchesPattern,
} from '../../worker/sandbox/search/fields.ts';
import { type EsMapping, metaProperties } from './mapping.ts';

/** Makes a mapping ready for look-ups by a query. */
export function queryLookup({ engine, aliases, limited }: EsMapping): MappingLookup {
  const fields = createMappingLookup(engine);
  const isMeta = (path: string): boolean => Object.hasOwn(metaProperties, path);
  return {
    ...fields,
    getField: (path) => fields.getField(aliases.get(path) ?? path),
    findMatching: (pattern) => {
      const paths = fields.findMatching(pattern).map(({ path }) => path);
      const aliased = [...aliases].flatMap(([alias, path]) => (matchesPattern(alias, pattern) ? [path] : []));
      const reached = [...new Set([...paths, ...aliased])].filter(
        (path) => path === pattern || !isMeta(path),
      );
      return reached.flatMap((path) => fields.getField(path) ?? []);
    },
    getDefaultFields: () =>
      fields.getDefaultFields().filter(({ path }) => !isMeta(path) && !limited.has(path)),
  };
}
