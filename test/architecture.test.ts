// The layout rules: which folder may import which, no import cycles, and what stands at the roots.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../worker/commands/paths.ts';

const SOURCE = /\.tsx?$/;
const IMPORT = /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*)'(\.{1,2}\/[^']+)'/g;

/** Source files of the product, as paths relative to the repository. */
const files = ['addon', 'shared', 'worker'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
);

/** What each file imports, type-only imports included. */
const imports = new Map(
  files.map((file) => [
    file,
    [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, specifier = '']) =>
      normalize(join(dirname(file), specifier)),
    ),
  ]),
);

/** Folders of the Worker from top to bottom: a file imports from its own row or from rows below it. */
const layers: readonly (readonly string[])[] = [
  ['worker/index.ts', 'worker/development.ts'],
  ['worker/app.ts'],
  ['worker/routes/', 'worker/jobs/'],
  ['worker/privacy/'],
  ['worker/tables/'],
  ['worker/data-requests/'],
  ['worker/gateway/'],
  ['worker/http/', 'worker/db/'],
  ['worker/lib/'],
  ['shared/'],
];

/** Folders that may import only from the listed places, besides themselves. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'shared/': [],
  'addon/': ['shared/'],
  'worker/sandbox/': ['shared/', 'worker/lib/'],
  'worker/lib/': ['shared/'],
};

/** Who may import a folder, besides the folder itself. */
const users: Readonly<Record<string, readonly string[]>> = {
  'worker/sandbox/': ['worker/development.ts', 'worker/env.ts', 'worker/commands/'],
  'worker/commands/': [],
  'addon/dev/': ['worker/commands/'],
};

const isIn = (file: string, places: readonly string[]): boolean =>
  places.some((place) => file.startsWith(place));

const layerOf = (file: string): number => layers.findIndex((places) => isIn(file, places));

function findUpwardImports(): string[] {
  return [...imports].flatMap(([file, targets]) => {
    const layer = layerOf(file);
    if (layer < 0) return [];
    return targets
      .filter((target) => layerOf(target) >= 0 && layerOf(target) < layer)
      .map((target) => `${file} → ${target}`);
  });
}

function findForbiddenImports(): string[] {
  return [...imports].flatMap(([file, targets]) =>
    targets
      .filter(
        (target) =>
          Object.entries(allowed).some(
            ([folder, places]) => file.startsWith(folder) && !isIn(target, [folder, ...places]),
          ) ||
          Object.entries(users).some(
            ([folder, places]) => target.startsWith(folder) && !isIn(file, [folder, ...places]),
          ),
      )
      .map((target) => `${file} → ${target}`),
  );
}

describe('layout', () => {
  it('keeps the root of the Worker and of the add-on to their entries', () => {
    const rootFiles = (folder: string): string[] =>
      files.filter((file) => dirname(file) === folder).map((file) => file.slice(folder.length + 1));
    expect(rootFiles('worker')).toEqual(['app.ts', 'development.ts', 'env.ts', 'index.ts']);
    expect(rootFiles('addon')).toEqual(['index.ts', 'lazy-handlers.ts', 'lazy-script.ts']);
  });

  it('lets imports of the Worker point down only', () => {
    expect(findUpwardImports()).toEqual([]);
  });

  it('keeps add-on, shared code, sandbox and commands apart', () => {
    expect(findForbiddenImports()).toEqual([]);
  });
});
