// Builds the sidebar: one page with inline style and script that loads nothing else.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { bundle, HTML_SCRIPT } from './bundle.ts';
import { checkTemplateLiterals } from './script.ts';

const source = join(root, 'addon', 'sidebar');

/** Maximum size of the page, which loads each time the sidebar opens. */
const MAX_BYTES = 170_000;

const TARGET = 'es2022';

/** Placeholders of style and script in the page. */
const STYLE = '/* style.css */';
const SCRIPT = '/* main.js */';

/** Escapes inline text: `<script>` and `<style>` end at the first closing tag. JavaScript reads `<\/` as `</`. */
const escapeInlineText = (text: string): string => text.replaceAll('</', '<\\/').replaceAll('<!--', '<\\!--');

/**
 * Names that only the page uses; the build shortens them. The add-on's script and the browser must not use them.
 */
const PRIVATE_NAMES = (
  'account aliases answer arrival aside available busy cancelQuestion chosen clearErrors ' +
  'comparison dataSet draft dslFormKey dslProblem endCount entry excludes expanded extra fallbacks ' +
  'fixed foot format getPrice group hideLabel hint indexed initialFields isFree isMultiple ' +
  'isNumericFlag isRange isSpending isStopping isWriting isYear keyKind kinds known label lines ' +
  'maxAge missingValue needsConnection note nullPath onAdd onBulk onClose onDone onDraft onExpand ' +
  'onLate onList onNo onOpen onOrder onOrdered onPlace onReady onRemove onRetry onSaved onSend ' +
  'onStatus onTab onTables onView onVisible onYes options overwrite parts place plural price ' +
  'pricing problems progress refusal reload several show showFill shown showSuccess sign singular ' +
  'spellings spoken suggestions tone unchangedQuery visible what wide zeroOne ' +
  'bound checkNow clause isPaid monthCredits noun onFound onPoll rank resume success'
).split(' ');

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

/**
 * Builds the page.
 * @param maxBytes - maximum size
 * @returns the HTML
 * @throws Error if it is larger, or its script has template literals
 */
export async function buildSidebarPage(maxBytes = MAX_BYTES): Promise<string> {
  const mangleProps = await buildManglePattern();
  const [page, style, script] = await Promise.all([
    readFile(join(source, 'index.html'), 'utf8'),
    bundle(join(source, 'style.css'), { target: ['chrome111', 'firefox121', 'safari16.4'] }),
    bundle(join(source, 'main.tsx'), {
      ...HTML_SCRIPT,
      format: 'iife',
      target: TARGET,
      // Classic JSX calls are smaller than the automatic runtime that tsconfig selects for type checks.
      tsconfigRaw: {},
      jsx: 'transform',
      jsxFactory: 'h',
      jsxFragment: 'Fragment',
      inject: [join(source, 'jsx-shim.ts')],
      mangleProps,
      define: { 'process.env.NODE_ENV': '"production"', undefined: 'none' },
    }),
  ]);
  checkTemplateLiterals('Sidebar.html', script);
  // A replacement function prevents `$` patterns from being expanded.
  const html = page.replace(STYLE, () => style).replace(SCRIPT, () => escapeInlineText(script));
  const size = Buffer.byteLength(html);
  if (size > maxBytes) throw new Error(`Sidebar.html has ${size} bytes; it may have ${maxBytes}.`);
  return html;
}

/**
 * Writes the sidebar's page.
 * @param options - `outDir`: a folder that receives `Sidebar.html`
 * @throws Error if the page is too large
 */
export async function buildSidebar({ outDir }: { outDir: string }): Promise<void> {
  const html = await buildSidebarPage();
  await writeFile(join(outDir, 'Sidebar.html'), html);
}
