// What Apps Script asks of a script: checked over the built file, so that a mistake stops the build and not a spreadsheet.
import { Parser } from 'acorn';
import { transform } from 'esbuild';

/** Apps Script runs no later ECMAScript for certain. */
export const ECMA_VERSION = 2020;

/** The most bytes of the script that Google loads anew for every formula that runs, help and all. */
export const MAX_SCRIPT_BYTES = 60_000;
/** The most bytes of the script that is loaded only when a menu item, a trigger or the sidebar calls it. */
export const MAX_LATER_BYTES = 150_000;

/** What browsers, Workers and Node have and Apps Script has not. */
export const ABSENT: readonly string[] = [
  ...['fetch', 'Request', 'Response', 'Headers', 'FormData', 'XMLHttpRequest', 'WebSocket', 'EventSource'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'queueMicrotask'],
  ...['URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'atob', 'btoa', 'crypto', 'structuredClone'],
  ...['Blob', 'File', 'ReadableStream', 'AbortController', 'AbortSignal', 'performance', 'navigator'],
  ...['window', 'self', 'global', 'document', 'localStorage', 'process', 'Buffer', 'require', 'module'],
];

const MARK = '__absent_';

/** The compiler replaces a name only where it is free: a variable or a property of that name stays. */
async function freeNames(code: string): Promise<string[]> {
  const define = Object.fromEntries(
    ABSENT.flatMap((name) => [
      [name, `${MARK}${name}`],
      [`globalThis.${name}`, `${MARK}${name}`],
    ]),
  );
  const marked = await transform(code, { define, logLevel: 'silent' });
  return ABSENT.filter((name) => new RegExp(`\\b${MARK}${name}\\b`).test(marked.code));
}

/** Where a script is later than it may be: a sentence with line and column; undefined where it is not. */
function laterSyntax(code: string): string | undefined {
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

/** Yields a node of a syntax tree and all nodes below it. */
function* nodesBelow(value: unknown): Generator<Node> {
  if (isNode(value)) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) yield* nodesBelow(member);
}

const DIGEST_CALL = /^Utilities\.compute\w+$/;
const UTF_8 = 'Utilities.Charset.UTF_8';

/**
 * Finds a digest or signature of a text without a charset: Google then takes US_ASCII, in which all texts of other scripts of
 * the same length are one.
 * @returns the call as it is written; undefined where there is none
 */
function digestWithoutCharset(code: string): string | undefined {
  const textOf = (node: unknown): string =>
    isNode(node) ? code.slice(Number(node.start), Number(node.end)) : '';
  for (const node of nodesBelow(Parser.parse(code, { ecmaVersion: ECMA_VERSION, sourceType: 'script' }))) {
    const { type, callee, arguments: given } = node;
    if (type !== 'CallExpression' || !DIGEST_CALL.test(textOf(callee))) continue;
    if (!Array.isArray(given) || textOf(given.at(-1)) !== UTF_8) return textOf(node);
  }
  return undefined;
}

/**
 * Checks a script that Apps Script is to run.
 * @param name - the file's name
 * @param max - bytes
 * @throws Error that says what is wrong and where: later syntax, a global that is not there, a digest without a charset, too
 * many bytes
 */
export async function checkScript(name: string, code: string, max = MAX_SCRIPT_BYTES): Promise<void> {
  const later = laterSyntax(code);
  if (later !== undefined) throw new Error(`${name} can’t run in Apps Script: ${later}`);
  const absent = await freeNames(code);
  if (absent.length > 0) {
    throw new Error(`${name} can’t run in Apps Script, which has no ${absent.join(', no ')}.`);
  }
  const digest = digestWithoutCharset(code);
  if (digest !== undefined)
    throw new Error(`${name} computes ${digest} without ${UTF_8}: pass it as the last argument.`);
  const bytes = Buffer.byteLength(code);
  if (bytes > max) throw new Error(`${name} has ${bytes} bytes, which is more than ${max}.`);
}

/**
 * Checks a script that is kept in an HTML file of the project, as `checkScript` does. Nothing in it may look like a scriptlet:
 * those are for templates that are evaluated, which this one never is.
 * @throws Error that says what is wrong
 */
export async function checkHtmlScript(name: string, code: string): Promise<void> {
  await checkScript(name, code, MAX_LATER_BYTES);
  if (code.includes('<?')) throw new Error(`${name} holds "<?", which begins a scriptlet.`);
}
