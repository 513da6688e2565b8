// Builds the sidebar: one page with its style and its script inside, which loads nothing.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { bundle } from './bundle.ts';

const source = join(root, 'addon', 'sidebar');

/** The most bytes of the page: it is loaded anew each time that the sidebar opens. */
const MAX_BYTES = 120_000;

/** Where the page takes its style and its script. */
const STYLE = '/* style.css */';
const SCRIPT = '/* main.js */';

/** Text inside `<script>` or `<style>` ends at the first closing tag, wherever that stands; JavaScript reads `<\/` as `</`. */
const enclosed = (text: string): string => text.replaceAll('</', '<\\/').replaceAll('<!--', '<\\!--');

/**
 * Names that the page's parts say to each other and to nobody else: in the page they have one or two letters. Neither the
 * script nor the browser may know any of them.
 */
const OWN_NAMES = (
  'account arrival aside available busy chosen conditions draft dslProblem endCount expanded extra fixed ' +
  'foot group hideLabel hint indexed isFree isStopping isWriting kinds known lines maxAge needsConnection note onAdd onBulk onDone ' +
  'onDraft onLate onList onNo onOpen onOrdered onReady onRemove onRetry onSaved onStatus onTab onTables onView ' +
  'onYes options overwrite place price problems progress refusal reload sentence several show shown sign spoken ' +
  'tone visible what zeroOne'
).split(' ');

/** Where stands what the page and the script say to each other. */
const SAID = [
  'addon/server/api/index.ts',
  'addon/server/api/bulk.ts',
  'addon/server/api/tables.ts',
  'addon/server/api/runs.ts',
  'shared/api/common.ts',
  'shared/api/data-requests.ts',
  'shared/api/saved-searches.ts',
  'shared/api/query.ts',
  'shared/api/schedules.ts',
  'shared/api/sidebar-orders.ts',
  'shared/api/sidebar.ts',
  'shared/api/tables.ts',
];

/** A member of a type or a schema, also one in shorthand. */
const MEMBER = /(?:^|[{(,;])\s*(\w+)(?:\??:|,$)/gm;

/** @throws Error where a name of the page's own is said to the script, too */
async function ownNames(): Promise<RegExp> {
  const texts = await Promise.all(SAID.map((path) => readFile(join(root, path), 'utf8')));
  const said = new Set(texts.flatMap((text) => [...text.matchAll(MEMBER)].map(([, name]) => name)));
  const shared = OWN_NAMES.filter((name) => said.has(name));
  if (shared.length > 0) throw new Error(`The sidebar's own names are also said to the script: ${shared}.`);
  return new RegExp(`^(?:${OWN_NAMES.join('|')})$`);
}

/**
 * Makes the page.
 * @param maxBytes - the most that it may have
 * @returns its HTML
 * @throws Error where it is larger
 */
export async function sidebarPage(maxBytes = MAX_BYTES): Promise<string> {
  const mangleProps = await ownNames();
  const [page, style, script] = await Promise.all([
    readFile(join(source, 'index.html'), 'utf8'),
    bundle(join(source, 'style.css'), { target: ['chrome111', 'firefox121', 'safari16.4'] }),
    bundle(join(source, 'main.tsx'), {
      format: 'iife',
      target: 'es2022',
      // Tags as plain calls take fewer bytes than with the runtime that the types are checked against.
      tsconfigRaw: {},
      jsx: 'transform',
      jsxFactory: 'h',
      jsxFragment: 'Fragment',
      inject: [join(source, 'jsx-shim.ts')],
      mangleProps,
      define: { 'process.env.NODE_ENV': '"production"', undefined: 'none' },
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
