// Bundles the script of a page in two parts: the second is loaded later and shares the modules of the first.
import { basename } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { assertNoSchemas, bundle, HTML_SCRIPT } from './bundle.ts';

/** The variable of the page that holds the exports of the shared modules, in the order of their names. */
const SHARED_NAME = 'cdapiShared';

/** Loads files by their names, such as `./first.js`. */
const loadFrom = (files: Readonly<Record<string, string>>): Plugin => ({
  name: 'files',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\.\// }, ({ path }) => ({ path, namespace: 'files' }));
    onLoad({ filter: /^/, namespace: 'files' }, ({ path }) => ({ contents: files[path] ?? '' }));
  },
});

/**
 * Bundles two entries into two classic scripts without template literals.
 * @param entries - `first`: path of the entry that the page starts with; `later`: path of the entry that the page
 * evaluates later; `laterName`: the global variable that receives its exports
 * @param options - options of the compiler for the sources
 * @throws Error if the compiler rejects a file, a bundle contains schemas, or the entries share nothing
 */
export async function bundlePageScripts(
  { first, later, laterName }: { first: string; later: string; laterName: string },
  { target, ...options }: BuildOptions & { target: string },
): Promise<{ first: string; later: string }> {
  const { outputFiles, metafile } = await build({
    ...options,
    target,
    entryPoints: { first, later },
    bundle: true,
    // Modules that both entries use become a separate file.
    splitting: true,
    chunkNames: 'shared',
    format: 'esm',
    outdir: '.',
    charset: 'utf8',
    logLevel: 'error',
    metafile: true,
    write: false,
  });
  assertNoSchemas(metafile);
  const shared = metafile.outputs['shared.js']?.exports.join(', ');
  if (shared === undefined) throw new Error(`${first} and ${later} share no modules.`);
  const files = Object.fromEntries(outputFiles.map(({ path, text }) => [`./${basename(path)}`, text]));
  const compile = (entry: string, own: Readonly<Record<string, string>>, name?: string): Promise<string> =>
    bundle(entry, {
      ...HTML_SCRIPT,
      format: 'iife',
      target,
      plugins: [loadFrom({ ...files, ...own })],
      ...(name === undefined ? {} : { globalName: name }),
    });
  const start = `import { ${shared} } from './shared.js'; import './first.js'; globalThis.${SHARED_NAME} = [${shared}];`;
  const use = `const [${shared}] = ${SHARED_NAME}; export { ${shared} };`;
  const [firstScript, laterScript] = await Promise.all([
    compile('./start.js', { './start.js': start }),
    compile('./later.js', { './shared.js': use }, laterName),
  ]);
  return { first: firstScript, later: laterScript };
}
