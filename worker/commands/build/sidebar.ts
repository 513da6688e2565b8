// Builds the sidebar: a page with inline style and script, and a second script with the tabs that it loads later.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { root } from '../paths.ts';
import { bundle } from './bundle.ts';
import { bundlePageScripts } from './page-scripts.ts';
import { checkInHtmlFile, checkTemplateLiterals } from './script.ts';

const source = join(root, 'addon', 'sidebar');

/** Maximum size of the page, which loads each time the sidebar opens, and shows its first tab. */
const MAX_PAGE_BYTES = 104_000;
/** Maximum size of the page and its second script: 190 KB. */
const MAX_BYTES = 190 * 1024;

/** Placeholders of style and script in the page. */
const STYLE = '/* style.css */';
const SCRIPT = '/* main.js */';

/** Keeps separators in their line: no line begins with one. */
const bindSeparators = (text: string): string => text.replaceAll(' · ', '\u00a0· ');

/** Escapes inline text: `<script>` and `<style>` end at the first closing tag. JavaScript reads `<\/` as `</`. */
const escapeInlineText = (text: string): string => text.replaceAll('</', '<\\/').replaceAll('<!--', '<\\!--');

/**
 * Names that only the page uses; the build shortens them. The add-on's script and the browser must not use them.
 */
const PRIVATE_NAMES = (
  'account aliases answer arrival aside available busy cancelQuestion chosen clearErrors closeReport ' +
  'carried dataSet draft dslFormKey dslProblem endCount entry excludes expanded extra fallbacks ' +
  'fixed foot format getPrice group hideLabel hint indexed initialFields isFree isMultiple ' +
  'isNumericFlag isRange isSpending isStopping isWriting isYear keyKind kinds known label lines ' +
  'maxAge missingValue needsConnection note nullPath onAdd onBulk onClose onDone onDraft onExpand ' +
  'onLate onList onNo onOpen onOrder onOrdered onPlace onReady onRemove onRetry onSaved onSend ' +
  'onStatus onTab onTables onView onVisible onYes options overwrite parts place plural price ' +
  'pricing problems progress refusal reload several show showFill shown showSuccess sign singular ' +
  'spellings spoken suggestions tone unchangedQuery visible what wide zeroOne ' +
  'bound checkNow clause freshForS idHeadingPattern isAtCompanies isEverywhere isPaid isUpdate monthCredits notFoundMessage noun onFound ' +
  'onOrderAgain onPoll onSearch orderAgain orderedTitle profileSegments renderPanel resume ' +
  'shownAs success undoLabel yes dismiss isFilter onChoose onDigest savedId'
).split(' ');

/** Browsers have the names of countries in all languages: the page needs no table of them. */
const namesOfTheBrowser: Plugin = {
  name: 'country-names',
  setup: ({ onResolve }) => {
    const path = join(root, 'shared', 'query', 'collect-country-names.ts');
    onResolve({ filter: /\/country-names\.ts$/ }, () => ({ path }));
  },
};

/** Files that define the protocol between page and script. */
const PROTOCOL_FILES = [
  'addon/server/api/index.ts',
  'addon/server/api/bulk.ts',
  'addon/server/api/formulas.ts',
  'addon/server/api/tables.ts',
  'addon/server/api/runs.ts',
  'shared/api/ask.ts',
  'shared/api/common.ts',
  'shared/api/data-requests.ts',
  'shared/api/saved-searches.ts',
  'shared/api/query.ts',
  'shared/api/schedules.ts',
  'shared/api/sidebar-orders.ts',
  'shared/api/sidebar.ts',
  'shared/api/tables.ts',
];

/** Matches a member of a type or schema, including shorthand members. */
const MEMBER = /(?:^|[{(,;])\s*(\w+)(?:\??:|,$)/gm;

/** Builds the pattern of names to shorten. @throws Error if a private name is also part of the protocol */
async function buildManglePattern(): Promise<RegExp> {
  const texts = await Promise.all(PROTOCOL_FILES.map((path) => readFile(join(root, path), 'utf8')));
  const protocolNames = new Set(texts.flatMap((text) => [...text.matchAll(MEMBER)].map(([, name]) => name)));
  const shared = PRIVATE_NAMES.filter((name) => protocolNames.has(name));
  if (shared.length > 0)
    throw new Error(`Private names of the sidebar are also part of its protocol: ${shared}.`);
  return new RegExp(`^(?:${PRIVATE_NAMES.join('|')})$`);
}

/** The sidebar's files. */
interface SidebarFiles {
  /** HTML of the page. */
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
  const mangleProps = await buildManglePattern();
  const [html, style, bundles] = await Promise.all([
    readFile(join(source, 'index.html'), 'utf8'),
    bundle(join(source, 'style.css'), { target: ['chrome111', 'firefox121', 'safari16.4'] }),
    bundlePageScripts(
      { first: join(source, 'main.tsx'), later: join(source, 'later-tabs.tsx'), laterName: 'cdapiLater' },
      {
        target: 'es2022',
        // Classic JSX calls are smaller than the automatic runtime that tsconfig selects for type checks.
        tsconfigRaw: {},
        jsx: 'transform',
        jsxFactory: 'h',
        jsxFragment: 'Fragment',
        inject: [join(source, 'jsx-shim.ts')],
        mangleProps,
        plugins: [namesOfTheBrowser],
        define: { 'process.env.NODE_ENV': '"production"', undefined: 'none' },
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
