// Bundles parts of the add-on and rejects bundles that contain zod or the contract's schemas.
import { type BuildOptions, build, type Metafile } from 'esbuild';

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
