// The fields of an index as queries see them: with aliases, and without what a query must name to reach.
import { fitsPattern, type MappingLookup, mappingLookup } from '../../worker/sandbox/search/fields.ts';
import { type EsMapping, metaProperties } from './mapping.ts';

/** Makes a mapping ready for look-ups by a query. */
export function queryLookup({ engine, aliases, limited }: EsMapping): MappingLookup {
  const fields = mappingLookup(engine);
  const isMeta = (path: string): boolean => Object.hasOwn(metaProperties, path);
  return {
    ...fields,
    field: (path) => fields.field(aliases.get(path) ?? path),
    matching: (pattern) => {
      const paths = fields.matching(pattern).map(({ path }) => path);
      const aliased = [...aliases].flatMap(([alias, path]) => (fitsPattern(alias, pattern) ? [path] : []));
      const reached = [...new Set([...paths, ...aliased])].filter(
        (path) => path === pattern || !isMeta(path),
      );
      return reached.flatMap((path) => fields.field(path) ?? []);
    },
    defaults: () => fields.defaults().filter(({ path }) => !isMeta(path) && !limited.has(path)),
  };
}
