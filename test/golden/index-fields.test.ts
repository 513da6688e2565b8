// The index fields cover every field of the golden records.
import { expect, it } from 'vitest';
import type { Properties } from '../../shared/index-fields/mapping.ts';
import { readGoldenDocuments } from './documents.ts';
import { goldenIndexes, loadGoldenSet } from './load.ts';

/** Lists paths of values without an index field. */
function listUnmappedPaths(value: unknown, properties: Properties, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => listUnmappedPaths(item, properties, prefix));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const property = properties[name];
    if (property === undefined) return [prefix + name];
    return 'properties' in property ? listUnmappedPaths(inner, property.properties, `${prefix}${name}.`) : [];
  });
}

const sets = goldenIndexes.map(loadGoldenSet).filter(({ documents }) => documents.kind === 'records');

it.each(sets.map((set) => [set.index, set] as const))('of %s', async (_, set) => {
  const documents = (await readGoldenDocuments(set)) ?? [];
  expect(documents.length).toBeGreaterThan(0);
  const unmapped = documents.flatMap(({ source }) => listUnmappedPaths(source, set.mapping.properties));
  expect([...new Set(unmapped)]).toEqual([]);
});
