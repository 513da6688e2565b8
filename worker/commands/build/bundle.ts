// Bundles scripts and pages of the add-on. Rejects bundles that contain zod or the contract's schemas.
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { root } from '../paths.ts';
import { ECMA_VERSION } from './script.ts';

/** Modules that only the Worker and the commands may load. */
const SCHEMA_MODULES = /(?:^|\/)(?:node_modules\/zod|shared\/api)\//;

/** Checks that a bundle contains no schemas. @throws Error that names the files with schemas */
export function assertNoSchemas({ inputs }: Metafile): void {
  const schemas = Object.keys(inputs).filter((path) => SCHEMA_MODULES.test(path));
  if (schemas.length === 0) return;
  throw new Error(
    `The add-on may import only types from shared/api; its bundle contains ${schemas.join(', ')}.`,
  );
}

/**
 * For scripts in HTML files, which HtmlService serves: it damages template literals
 * (https://github.com/enuchi/React-Google-Apps-Script/issues/157), so they are compiled away.
 */
export const HTML_SCRIPT = { supported: { 'template-literal': false } } satisfies BuildOptions;

/**
 * Bundles and minifies.
 * @param entryPoint - path of the entry file
 * @returns the text of all outputs
 * @throws Error if the compiler rejects a file, or the bundle contains schemas
 */
export async function bundle(entryPoint: string, options: BuildOptions): Promise<string> {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: [entryPoint],
    bundle: true,
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
    write: false,
  });
  assertNoSchemas(metafile);
  return outputFiles.map((file) => file.text.trim()).join('\n');
}

/** The variable that holds a script's exports. Apps Script hides names that end in _ from callers. */
export const BUNDLE_NAME = 'cdapi_';

/** Bundles a script of Apps Script. @param constants - values of global names */
export const bundleScript = (
  entryPoint: string,
  constants: Readonly<Record<string, unknown>>,
  options: BuildOptions = {},
): Promise<string> =>
  bundle(entryPoint, {
    ...options,
    format: 'iife',
    globalName: BUNDLE_NAME,
    target: `es${ECMA_VERSION}`,
    define: Object.fromEntries(
      Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)]),
    ),
  });

/** Lists the exports of a script. */
async function listExportedNames(entryPoint: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    format: 'esm',
    outdir: root,
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  return Object.values(metafile.outputs).flatMap((output) => output.exports);
}

/** Bundles a script whose exports become public functions. @param declare - builds the declaration of a function */
export async function buildPublicScript(
  entryPoint: string,
  constants: Readonly<Record<string, unknown>>,
  declare: (name: string) => string,
): Promise<string> {
  const [exported, code] = await Promise.all([
    listExportedNames(entryPoint),
    bundleScript(entryPoint, constants),
  ]);
  return [code, ...exported.sort().map(declare)].join('\n');
}
