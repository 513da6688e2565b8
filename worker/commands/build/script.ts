// What Apps Script asks of a script: checked over the built file, so that a mistake stops the build and not a spreadsheet.
import { Parser } from 'acorn';
import { transform } from 'esbuild';

/** Apps Script runs no later ECMAScript for certain. */
export const ECMA_VERSION = 2020;

/** The most bytes of the script that Google loads anew for every formula that runs, help and all. */
export const MAX_SCRIPT_BYTES = 60_000;
/** The most bytes of the script that is loaded only when a menu item, a trigger or the sidebar calls it. */
export const MAX_LATER_BYTES = 120_000;

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

/**
 * Checks a script that Apps Script is to run.
 * @param name - the file's name
 * @param max - bytes
 * @throws Error that says what is wrong and where: later syntax, a global that is not there, too many bytes
 */
export async function checkScript(name: string, code: string, max = MAX_SCRIPT_BYTES): Promise<void> {
  const later = laterSyntax(code);
  if (later !== undefined) throw new Error(`${name} can’t run in Apps Script: ${later}`);
  const absent = await freeNames(code);
  if (absent.length > 0) {
    throw new Error(`${name} can’t run in Apps Script, which has no ${absent.join(', no ')}.`);
  }
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
