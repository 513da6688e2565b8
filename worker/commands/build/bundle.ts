// Bundles a part of the add-on. It takes types alone from the contract's schemas, so that no bundle carries zod.
import { type BuildOptions, build, type Metafile } from 'esbuild';

/** What only the Worker and commands load. */
const SCHEMAS = /(?:^|\/)(?:node_modules\/zod|shared\/api)\//;

/** @throws Error that names the files that make schemas */
function requireNoSchemas({ inputs }: Metafile): void {
  const schemas = Object.keys(inputs).filter((path) => SCHEMAS.test(path));
  if (schemas.length === 0) return;
  throw new Error(`The add-on takes types alone from shared/api; it would carry ${schemas.join(', ')}.`);
}

/**
 * Bundles and minifies.
 * @param entryPoint - path of the file to begin with
 * @returns the text of all outputs
 * @throws Error where the compiler refuses a file, or the bundle would carry schemas
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
  requireNoSchemas(metafile);
  return outputFiles.map(({ text }) => text.trim()).join('\n');
}
