// Builds the sidebar: one page with its style and its script inside, which loads nothing.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { root } from '../paths.ts';

const source = join(root, 'addon', 'sidebar');

/** The most bytes of the page: it is loaded anew each time that the sidebar opens. */
const MAX_BYTES = 100 * 1024;

/** Where the page takes its style and its script. */
const STYLE = '/* style.css */';
const SCRIPT = '/* main.js */';

/** Text inside `<script>` or `<style>` ends at the first closing tag, wherever that stands; JavaScript reads `<\/` as `</`. */
const enclosed = (text: string): string => text.replaceAll('</', '<\\/').replaceAll('<!--', '<\\!--');

async function bundle(entry: string, options: BuildOptions): Promise<string> {
  const { outputFiles = [] } = await build({
    ...options,
    entryPoints: [join(source, entry)],
    bundle: true,
    minify: true,
    write: false,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'error',
  });
  return outputFiles.map(({ text }) => text.trim()).join('');
}

/**
 * Makes the page.
 * @param maxBytes - the most that it may have
 * @returns its HTML
 * @throws Error where it is larger
 */
export async function sidebarPage(maxBytes = MAX_BYTES): Promise<string> {
  const [page, style, script] = await Promise.all([
    readFile(join(source, 'index.html'), 'utf8'),
    bundle('style.css', { target: ['chrome111', 'firefox121', 'safari16.4'] }),
    bundle('main.tsx', {
      format: 'iife',
      target: 'es2022',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      define: { 'process.env.NODE_ENV': '"production"' },
    }),
  ]);
  // A replacement given as a function is taken as it is, whatever $ it holds.
  const html = page.replace(STYLE, () => style).replace(SCRIPT, () => enclosed(script));
  const size = Buffer.byteLength(html);
  if (size > maxBytes) throw new Error(`Sidebar.html has ${size} bytes; it may have ${maxBytes}.`);
  return html;
}

/**
 * Builds the sidebar's page.
 * @param options - `outDir`: where `Sidebar.html` is written
 * @throws Error where it is larger than a sidebar may be
 */
export async function buildSidebar({ outDir }: { outDir: string }): Promise<void> {
  const html = await sidebarPage();
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'Sidebar.html'), html);
}
