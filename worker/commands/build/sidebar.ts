// Builds the sidebar: a page with inline style and script, and a second script with the tabs that it loads later.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { root } from '../paths.ts';
import { bundle } from './bundle.ts';
import { bundlePageScripts } from './page-scripts.ts';
import { checkInHtmlFile, checkTemplateLiterals } from './script.ts';

const source = join(root, 'addon', 'sidebar');

/** Maximum size of the page, which loads each time the sidebar opens, with a margin: docs/decisions/0026-sidebar-in-two-scripts.md. */
const MAX_PAGE_BYTES = 160_000;
/** Maximum size of the page and its second script. */
const MAX_BYTES = 300_000;

/** Placeholders of style and script in the page. */
const STYLE = '/* style.css */';
const SCRIPT = '/* main.js */';

/** Keeps separators in their line: no line begins with one. */
const bindSeparators = (text: string): string => text.replaceAll(' · ', '\u00a0· ');

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

interface SidebarFiles {
  page: string;
  /** The page's second script. */
  tabs: string;
}

/**
 * Builds the page and its second script.
 * @param maxPageBytes - maximum size of the page
 * @throws Error if a file is too large, or HtmlService may damage it
 */
export async function buildSidebarFiles(maxPageBytes = MAX_PAGE_BYTES): Promise<SidebarFiles> {
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
  checkTemplateLiterals('Sidebar.html', scripts.first);
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
