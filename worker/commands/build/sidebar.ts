// Builds the sidebar: a page with inline style and script, and a second script with the tabs that it loads later.
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { root } from '../paths.ts';
import { assertNoSchemas, bundle, HTML_SCRIPT } from './bundle.ts';
import { checkInHtmlFile } from './script.ts';

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
async function bundlePageScripts(
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

const source = join(root, 'addon', 'sidebar');

/** Maximum size of the page, which loads each time the sidebar opens, with a margin: docs/decisions/0026-sidebar-in-two-scripts.md. */
const MAX_PAGE_BYTES = 160_000;
/** Maximum size of the page and its second script. */
const MAX_BYTES = 300_000;

/** Placeholders of style and script in the page. */
const STYLE = '/* style.css */';
const SCRIPT = '/* main.js */';

/** Keeps separators in their line: no line begins with one. */
export const bindSeparators = (text: string): string => text.replaceAll(' · ', '\u00a0· ');

/** Escapes inline text: `<script>` and `<style>` end at the first closing tag. JavaScript reads `<\/` as `</`. */
const escapeInlineText = (text: string): string => text.replaceAll('</', '<\\/').replaceAll('<!--', '<\\!--');

/** Browsers have the names of countries in all languages: the page needs no table of them. */
const namesOfTheBrowser: Plugin = {
  name: 'country-names',
  setup: ({ onResolve }) => {
    const path = join(root, 'shared', 'query', 'collect-country-names.ts');
    onResolve({ filter: /\/country-names\.ts$/ }, () => ({ path }));
  },
};

/**
 * Builds the page and its second script, the tabs.
 * @param maxPageBytes - maximum size of the page
 * @throws Error if a file is too large, or HtmlService may damage it
 */
export async function buildSidebarFiles(maxPageBytes = MAX_PAGE_BYTES) {
  const [html, style, bundles] = await Promise.all([
    readFile(join(source, 'index.html'), 'utf8'),
    bundle(join(source, 'style.css'), { target: ['chrome111', 'firefox121', 'safari16.4'] }),
    bundlePageScripts(
      { first: join(source, 'main.tsx'), later: join(source, 'later-tabs.tsx'), laterName: 'cdapiLater' },
      {
        target: 'es2022',
        jsx: 'automatic',
        jsxImportSource: 'preact',
        plugins: [namesOfTheBrowser],
        define: { 'process.env.NODE_ENV': '"production"' },
      },
    ),
  ]);
  const scripts = { first: bindSeparators(bundles.first), later: bindSeparators(bundles.later) };
  checkInHtmlFile('Sidebar.html', scripts.first);
  checkInHtmlFile('SidebarTabs.html', scripts.later);
  // A replacement function prevents `$` patterns from being expanded.
  const page = html.replace(STYLE, () => style).replace(SCRIPT, () => escapeInlineText(scripts.first));
  const size = Buffer.byteLength(page);
  if (size > maxPageBytes) throw new Error(`Sidebar.html has ${size} bytes; it may have ${maxPageBytes}.`);
  const total = size + Buffer.byteLength(scripts.later);
  if (total > MAX_BYTES) throw new Error(`The sidebar has ${total} bytes; it may have ${MAX_BYTES}.`);
  return { page, tabs: scripts.later };
}

/**
 * Writes the sidebar's files.
 * @param options - `outDir`: a folder that receives `Sidebar.html` and `SidebarTabs.html`
 * @throws Error as {@link buildSidebarFiles}
 */
export async function buildSidebar({ outDir }: { outDir: string }): Promise<void> {
  const { page, tabs } = await buildSidebarFiles();
  await Promise.all([
    writeFile(join(outDir, 'Sidebar.html'), page),
    writeFile(join(outDir, 'SidebarTabs.html'), tabs),
  ]);
}
