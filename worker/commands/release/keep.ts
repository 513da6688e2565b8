// npm run release:keep [-- --force]: keeps the built Worker of this version, so that the next one is tested beside it.
import { join } from 'node:path';
import { experimental_readRawConfig as readRawConfig } from 'wrangler';
import * as z from 'zod';
import { flag, readArguments } from '../arguments.ts';
import { root } from '../paths.ts';
import { bundleWorker } from '../runtime/bundle.ts';
import { runCommand, UserError } from '../user-error.ts';
import {
  hashMigrations,
  type KeptBuild,
  listKeptVersions,
  readPackageVersion,
  writeBuild,
} from './builds.ts';

const USAGE = 'Usage: npm run release:keep [-- --force]';

/** A kept build stays in the repository for ever. */
const MAX_BYTES = 650_000;

const configSchema = z.object({
  main: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()).default([]),
  durable_objects: z.object({ bindings: z.array(z.object({ class_name: z.string() })) }),
});

/** Builds the Worker as it is deployed, and smaller. */
export async function buildRelease(): Promise<KeptBuild> {
  const config = configSchema.parse(readRawConfig({ config: join(root, 'wrangler.toml') }).rawConfig);
  return {
    version: await readPackageVersion(),
    compatibility_date: config.compatibility_date,
    compatibility_flags: config.compatibility_flags,
    classes: config.durable_objects.bindings.map(({ class_name }) => class_name),
    migrations: await hashMigrations(),
    script: await bundleWorker(join(root, config.main), true),
  };
}

/**
 * Keeps the build of this version.
 * @param options - `force` replaces a kept build
 * @throws UserError if it is kept already, or too large
 */
export async function keepBuild({ force = false }: { force?: boolean | undefined }): Promise<void> {
  const build = await buildRelease();
  if (!force && (await listKeptVersions()).includes(build.version))
    throw new UserError(
      `The build of ${build.version} is kept already, and a released one never changes. Raise the version in package.json first, or add --force if ${build.version} is not released yet.`,
    );
  const bytes = await writeBuild(build);
  if (bytes > MAX_BYTES) throw new UserError(`The build has ${bytes} bytes; at most ${MAX_BYTES} are kept.`);
  console.log(
    `Kept the build of ${build.version} in test/upgrade/builds: ${Math.ceil(bytes / 1024)} KB, ${build.migrations.length} migrations. Commit it.`,
  );
}

if (import.meta.main) await runCommand(() => keepBuild(readArguments(USAGE, { force: flag }).values));
