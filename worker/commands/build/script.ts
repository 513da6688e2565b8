// Checks built scripts against the limits of Apps Script.
import { Parser } from 'acorn';
import { transform } from 'esbuild';

/** The latest ECMAScript version that Apps Script supports reliably. */
export const ECMA_VERSION = 2020;

/**
 * Maximum size of the script that Google loads for every formula, including the help texts. The limits have a margin: they catch a
 * package that is bundled by mistake. Loading times: docs/decisions/0008-two-add-on-scripts.md.
 */
export const MAX_SCRIPT_BYTES = 160_000;
/** Maximum size of the script that menu items, triggers and the sidebar load lazily. */
export const MAX_LAZY_SCRIPT_BYTES = 400_000;
/** Maximum size of a script that holds everything. The two scripts share modules, so it is smaller than both. */
export const MAX_SINGLE_SCRIPT_BYTES = 450_000;

/** Globals of browsers, Workers and Node that Apps Script lacks. */
export const UNSUPPORTED_GLOBALS: readonly string[] = [
  ...['fetch', 'Request', 'Response', 'Headers', 'FormData', 'XMLHttpRequest', 'WebSocket', 'EventSource'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'queueMicrotask'],
  ...['URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'atob', 'btoa', 'crypto', 'structuredClone'],
  ...['Blob', 'File', 'ReadableStream', 'AbortController', 'AbortSignal', 'performance', 'navigator'],
  ...['window', 'self', 'global', 'document', 'localStorage', 'process', 'Buffer', 'require', 'module'],
];

const MARKER = '__absent_';

/** Finds unsupported globals. esbuild replaces only free names, not variables or properties of the same name. */
async function findUnsupportedGlobals(code: string): Promise<string[]> {
  const define = Object.fromEntries(
    UNSUPPORTED_GLOBALS.flatMap((name) => [
      [name, `${MARKER}${name}`],
      [`globalThis.${name}`, `${MARKER}${name}`],
    ]),
  );
  const marked = await transform(code, { define, logLevel: 'silent' });
  return UNSUPPORTED_GLOBALS.filter((name) => new RegExp(`\\b${MARKER}${name}\\b`).test(marked.code));
}

/** Describes syntax that is newer than Apps Script supports; undefined if there is none. */
function findUnsupportedSyntax(code: string): string | undefined {
  try {
    Parser.parse(code, { ecmaVersion: ECMA_VERSION, sourceType: 'script' });
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError) || !('pos' in error) || typeof error.pos !== 'number') throw error;
    const excerpt = code.slice(Math.max(0, error.pos - 40), error.pos + 40);
    return `it is no ECMAScript ${ECMA_VERSION}: ${error.message}, at ${JSON.stringify(excerpt)}`;
  }
}

type Node = { type: string } & Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Yields a syntax node and all its descendants. */
function* walk(value: unknown): Generator<Node> {
  if (isNode(value)) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) yield* walk(member);
}

const DIGEST_CALL = /^Utilities\.compute\w+$/;
const UTF_8 = 'Utilities.Charset.UTF_8';

/**
 * Finds a digest or signature of a text without a charset. Google then uses US_ASCII, which maps all non-ASCII
 * texts of the same length to the same bytes.
 * @returns the source of the call; undefined if there is none
 */
function findDigestWithoutCharset(code: string): string | undefined {
  const getSource = (node: unknown): string =>
    isNode(node) ? code.slice(Number(node.start), Number(node.end)) : '';
  for (const node of walk(Parser.parse(code, { ecmaVersion: ECMA_VERSION, sourceType: 'script' }))) {
    const { type, callee, arguments: callArguments } = node;
    if (type !== 'CallExpression' || !DIGEST_CALL.test(getSource(callee))) continue;
    if (!Array.isArray(callArguments) || getSource(callArguments.at(-1)) !== UTF_8) return getSource(node);
  }
  return undefined;
}

/**
 * Checks a script of the add-on.
 * @param name - the file's name
 * @param max - maximum size in bytes
 * @throws Error that names the problem: newer syntax, an unsupported global, a digest without a charset, or the
 * size
 */
export async function checkScript(name: string, code: string, max = MAX_SCRIPT_BYTES): Promise<void> {
  const syntaxError = findUnsupportedSyntax(code);
  if (syntaxError !== undefined) throw new Error(`${name} can’t run in Apps Script: ${syntaxError}`);
  const unsupported = await findUnsupportedGlobals(code);
  if (unsupported.length > 0) {
    throw new Error(`${name} can’t run in Apps Script, which has no ${unsupported.join(', no ')}.`);
  }
  const digest = findDigestWithoutCharset(code);
  if (digest !== undefined)
    throw new Error(`${name} computes ${digest} without ${UTF_8}: pass it as the last argument.`);
  const bytes = Buffer.byteLength(code);
  if (bytes > max) throw new Error(`${name} has ${bytes} bytes, which is more than ${max}.`);
}

/**
 * Checks a script in an HTML file, which is no template, so it must not contain scriptlet marks. Nor template literals:
 * HtmlService takes `//` and `/*` in them for comments, and removes them and what follows
 * (https://github.com/enuchi/React-Google-Apps-Script/issues/157).
 * @throws Error that names the problem
 */
export function checkInHtmlFile(name: string, code: string): void {
  if (code.includes('<?')) throw new Error(`${name} holds "<?", which begins a scriptlet.`);
  for (const { type, start, end } of walk(Parser.parse(code, { ecmaVersion: 'latest' }))) {
    if (type !== 'TemplateLiteral') continue;
    const source = code.slice(Number(start), Number(end));
    throw new Error(`${name} holds the template literal ${source}, which HtmlService may damage.`);
  }
}

/**
 * Checks the script that Code.js loads lazily from an HTML file.
 * @throws Error that names the problem
 */
export async function checkHtmlScript(name: string, code: string): Promise<void> {
  await checkScript(name, code, MAX_LAZY_SCRIPT_BYTES);
  checkInHtmlFile(name, code);
}
