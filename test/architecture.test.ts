// Layout rules: allowed imports between folders, no import cycles, and the files at the roots.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { root } from '../worker/commands/paths.ts';
import * as schema from '../worker/db/schema.ts';

/** Tables of the production database, by the name of their export. */
const tablesByName: Readonly<Record<string, SQLiteTable>> = Object.fromEntries(
  Object.entries(schema).filter(([, value]) => is(value, SQLiteTable)),
);

const SOURCE = /\.tsx?$/;
const IMPORT = /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*)'(\.{1,2}\/[^']+)'/g;

/** Source files of the product, as paths relative to the repository. */
const files = ['addon', 'shared', 'worker'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
);

/** Imports of each file, including type-only imports. */
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
  ['worker/index.ts', 'worker/development.ts', 'worker/development/', 'worker/tail.ts'],
  ['worker/app.ts'],
  ['worker/routes/', 'worker/jobs/'],
  ['worker/operations/'],
  ['worker/privacy/'],
  ['worker/tables/'],
  ['worker/data-requests/', 'worker/matching/', 'worker/assistant/'],
  ['worker/gateway/'],
  ['worker/queue/'],
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

/** Folders that only the listed places may import. */
const importers: Readonly<Record<string, readonly string[]>> = {
  'worker/sandbox/': ['worker/development.ts', 'worker/env.ts', 'worker/commands/'],
  'worker/commands/': [],
  'worker/development/': ['worker/development.ts'],
  'addon/dev/': ['worker/commands/'],
};

/** The D1 tables (exports of worker/db/schema.ts) of each folder. Other folders use functions of the owner. */
const tableOwners: Readonly<Record<string, readonly string[]>> = {
  'worker/gateway/auth/': ['domains', 'oauthEntries', 'people', 'teamRules', 'teams', 'tokens'],
  'worker/gateway/ledger/': ['usageDays', 'usageHours'],
  'worker/gateway/refusal-list/': ['erasures', 'erasedKeys', 'settings'],
  'worker/data-requests/': [
    'requestQueries',
    'claimedKeys',
    'requestFiles',
    'requestWebhooks',
    'requestRows',
    'requests',
    'requestTickets',
    'webhookSecrets',
  ],
  'worker/tables/': [
    'alertMessages',
    'enrichedKeys',
    'enrichments',
    'tableReports',
    'alerts',
    'changes',
    'pushes',
    'runs',
    'schedules',
    'searches',
    'spreadsheets',
    'tableRuns',
    'tables',
  ],
  'worker/queue/': ['deadLetters', 'jobs'],
  'worker/operations/': ['adminTokens', 'consoleSessions', 'cronRuns', 'operatorAlerts', 'restores'],
  'worker/routes/admin/': ['audit'],
};

const isIn = (file: string, places: readonly string[]): boolean =>
  places.some((place) => file.startsWith(place));

const findLayer = (file: string): number => layers.findIndex((places) => isIn(file, places));

function findUpwardImports(): string[] {
  return [...imports].flatMap(([file, targets]) => {
    const layer = findLayer(file);
    if (layer < 0) return [];
    return targets
      .filter((target) => findLayer(target) >= 0 && findLayer(target) < layer)
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
          Object.entries(importers).some(
            ([folder, places]) => target.startsWith(folder) && !isIn(file, [folder, ...places]),
          ),
      )
      .map((target) => `${file} → ${target}`),
  );
}

/** Finds tables that a file imports as values although another folder owns them. */
function findForeignTables(): string[] {
  const owner = new Map(
    Object.entries(tableOwners).flatMap(([folder, tables]) => tables.map((table) => [table, folder])),
  );
  const statement = /import \{([^}]*)\} from '[^']*\/db\/schema\.ts'/g;
  return files
    .filter((file) => file.startsWith('worker/') && !file.startsWith('worker/commands/'))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(statement)]
        .flatMap(([, names = '']) => names.split(','))
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .filter((name) => !file.startsWith(owner.get(name) ?? 'nowhere'))
        .map((name) => `${file} uses ${name}`),
    );
}

/** Finds raw SQL over tables that another folder owns. Files with `SqlStorage` query a Durable Object instead. */
function findForeignSql(): string[] {
  const owner = new Map(
    Object.entries(tableOwners).flatMap(([folder, names]) =>
      names.flatMap((name) => {
        const table = tablesByName[name];
        return table === undefined ? [] : [[getTableName(table), folder] as const];
      }),
    ),
  );
  const clause = /\b(?:FROM|INTO|UPDATE|JOIN) ([a-z_]+)\b/g;
  return files
    .filter((file) => file.startsWith('worker/') && !/^worker\/(commands|sandbox|db)\//.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [...(text.includes('SqlStorage') ? '' : text).matchAll(clause)]
        .flatMap(([, name = '']) => name)
        .filter((name) => !file.startsWith(owner.get(name) ?? file))
        .map((name) => `${file} uses ${name}`);
    });
}

/** Finds files that import themselves through others: files without imports are removed until only cycles are left. */
function findCycles(): string[] {
  const remaining = new Map([...imports].map(([file, targets]) => [file, new Set(targets)]));
  for (let removed = true; removed; ) {
    removed = false;
    for (const [file, targets] of remaining) {
      if ([...targets].some((target) => remaining.has(target))) continue;
      remaining.delete(file);
      removed = true;
    }
  }
  const isReachable = (from: string, goal: string, visited = new Set<string>()): boolean =>
    [...(remaining.get(from) ?? [])].some((target) => {
      if (target === goal) return true;
      if (visited.has(target) || !remaining.has(target)) return false;
      visited.add(target);
      return isReachable(target, goal, visited);
    });
  return [...remaining.keys()].filter((file) => isReachable(file, file)).sort();
}

describe('layout', () => {
  it('keeps the root of the Worker and of the add-on to their entries', () => {
    const rootFiles = (folder: string): string[] =>
      files.filter((file) => dirname(file) === folder).map((file) => file.slice(folder.length + 1));
    expect(rootFiles('worker')).toEqual(['app.ts', 'development.ts', 'env.ts', 'index.ts', 'tail.ts']);
    expect(rootFiles('addon')).toEqual([
      'direct-functions.ts',
      'index.ts',
      'lazy-handlers.ts',
      'lazy-script.ts',
      'single-script.ts',
    ]);
  });

  it('lets imports of the Worker point down only', () => {
    expect(findUpwardImports()).toEqual([]);
  });

  it('keeps add-on, shared code, sandbox and commands apart', () => {
    expect(findForbiddenImports()).toEqual([]);
  });

  it('obtains Durable Objects in one place, which sets their region', () => {
    const callers = files.filter(
      (file) => file.startsWith('worker/') && readFileSync(join(root, file), 'utf8').includes('.getByName('),
    );
    expect(callers).toEqual(['worker/lib/objects.ts']);
  });

  it('reads bodies of requests in one place, which decodes them strictly; the sandbox has its own', () => {
    const read = /\b(?:req|raw|request)\.(?:text|json|formData|arrayBuffer|bytes|blob|parseBody)\(/;
    const readers = files.filter(
      (file) => file.startsWith('worker/') && read.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(readers).toEqual(['worker/sandbox/api/json-body.ts']);
  });

  it('has no import cycle, type-only imports included', () => {
    expect(findCycles()).toEqual([]);
  });

  it('gives each D1 table one folder, whose functions the others call', () => {
    const owned = Object.values(tableOwners).flat().sort();
    expect(owned).toEqual(Object.keys(tablesByName).sort());
    expect(findForeignTables()).toEqual([]);
    expect(findForeignSql()).toEqual([]);
  });
});
