// Kept builds: the Worker of each release with its migrations, for the test that runs two releases side by side.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import * as z from 'zod';
import { root } from '../paths.ts';
import { listMigrations, migrationsFolder } from '../runtime/migrations.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

const buildsFolder = join(root, 'test', 'upgrade', 'builds');

const SCRIPT = 'worker.js.br';
const DESCRIPTION = 'build.json';

const descriptionSchema = z.object({
  version: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  classes: z.array(z.string()),
  /** D1 migrations in order. A released one never changes. */
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
});

/** What the test needs to know about a build, besides its source. */
export type BuildDescription = z.output<typeof descriptionSchema>;

export interface KeptBuild extends BuildDescription {
  /** Source of the Worker, one module. */
  script: string;
}

/** Compares versions such as `0.10.0` and `0.9.1`. */
function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** Lists the migrations of this folder with their hashes, in order. */
export async function hashMigrations(): Promise<BuildDescription['migrations']> {
  return Promise.all(
    (await listMigrations()).map(async (name) => {
      const text = await readFile(join(migrationsFolder, name));
      return { name, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Lists the versions of the kept builds, the newest first. */
export async function listKeptVersions(): Promise<string[]> {
  const names = await readdir(buildsFolder).catch(() => []);
  return names.sort(compareVersions).reverse();
}

/** Reads the kept build of a version. @throws Error if it is missing or damaged */
export async function readBuild(version: string): Promise<KeptBuild> {
  const folder = join(buildsFolder, version);
  const description = descriptionSchema.parse(JSON.parse(await readFile(join(folder, DESCRIPTION), 'utf8')));
  const script = await decompress(await readFile(join(folder, SCRIPT)));
  return { ...description, script: script.toString() };
}

/**
 * Writes a build. The same build gives the same bytes.
 * @returns bytes of its compressed source
 */
export async function writeBuild({ script, ...description }: KeptBuild): Promise<number> {
  const folder = join(buildsFolder, description.version);
  const source = Buffer.from(script);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: source.byteLength,
  };
  const compressed = await compress(source, { params });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, SCRIPT), compressed);
  await writeFile(join(folder, DESCRIPTION), `${JSON.stringify(description, undefined, 2)}\n`);
  return compressed.byteLength;
}

/** Lists the releases that the changelog names, the newest first. */
export async function listReleases(): Promise<string[]> {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  return [...changelog.matchAll(/^## (\d\S*)$/gm)].flatMap(([, version]) => version ?? []);
}

/** Finds the version of the last release; before the first one, that of package.json. */
export const findReleasedVersion = async (): Promise<string> =>
  (await listReleases())[0] ?? readPackageVersion();

export async function readPackageVersion(): Promise<string> {
  const text = await readFile(join(root, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
