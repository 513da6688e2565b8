// THIRD_PARTY_LICENSES.md lists the packages in the bundles, in their versions.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { LICENCES_FILE, listBundledPackages } from '../worker/commands/build/licences.ts';
import { root } from '../worker/commands/paths.ts';

/** Rows of the table: package, version and bundles. */
async function readRows(): Promise<{ name: string; version: string; bundles: string[] }[]> {
  const page = await readFile(LICENCES_FILE, 'utf8');
  return [...page.matchAll(/^\| (\S+) \| (\d\S*) \| .+ \| (.+) \|$/gm)].map(
    ([, name = '', version = '', bundles = '']) => ({ name, version, bundles: bundles.split(', ') }),
  );
}

const lockSchema = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });

// Regenerate the page with: npm run docs:licences
it('lists installed versions', async () => {
  const { packages } = lockSchema.parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
  const installed = Object.entries(packages).map(
    ([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`,
  );
  const rows = await readRows();
  expect(rows.length).toBeGreaterThan(50);
  expect(
    rows.map(({ name, version }) => `${name} ${version}`).filter((row) => !installed.includes(row)),
  ).toEqual([]);
});

// The playground's bundle takes seconds; its packages come with Univer, whose version the table has.
it.each(['gateway', 'add-on'] as const)('lists exactly the packages of the %s', async (bundle) => {
  const rows = await readRows();
  const listed = rows.filter(({ bundles }) => bundles.includes(bundle)).map(({ name }) => name);
  expect(listed).toEqual(await listBundledPackages(bundle));
});
