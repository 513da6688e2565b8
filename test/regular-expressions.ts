// Finds the regular expressions of the code, and measures whether a text can make one slow.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import { type Node, parse } from 'acorn';
import { transformSync } from 'esbuild';
import { root } from '../worker/commands/paths.ts';

/** A regular expression in a file. */
export interface Expression {
  file: string;
  pattern: string;
  flags: string;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function* walk(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node))
    for (const child of [value].flat()) if (isNode(child)) yield* walk(child);
}

function isExpression(node: Node): node is Node & { regex: { pattern: string; flags: string } } {
  return 'regex' in node && typeof node.regex === 'object' && node.regex !== null;
}

/** Lists the literals of the tracked files below some folders, each once. */
export function listExpressions(folders: readonly string[], ignored: readonly string[]): Expression[] {
  const files = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  return files
    .filter((file) => /\.tsx?$/.test(file) && !ignored.some((folder) => file.startsWith(folder)))
    .flatMap((file) => {
      const loader = file.endsWith('x') ? 'tsx' : 'ts';
      const { code } = transformSync(readFileSync(join(root, file), 'utf8'), { loader, jsx: 'automatic' });
      const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
      return [...walk(program)].filter(isExpression).map(({ regex }) => ({ file, ...regex }));
    });
}

/** Characters of the usual classes. */
const USUAL = [...' \t\na0A.-_/"\'@:([,;%é中\u0301\u200b'];
const ENDS = ['', '\0', '!', '\n\0'];
const SHORT = 4_000;
const LONG = 40_000;
/** A linear expression takes a hundredth of both. */
const SUSPICIOUS_MS = 4;
const TIMEOUT_MS = 1_000;

/** Lists texts in which something of the pattern is repeated, behind something else of it. */
function* listTexts(pattern: string, length: number): Generator<string> {
  const literals = pattern
    .replaceAll(/\\[dDsSwWbBpP](?:\{[^}]*\})?|\\u[\da-f]{4}|\(\?[:=!<]*/g, ' ')
    .replaceAll('\\', '');
  const words = [...new Set(literals.match(/[^\s()[\]{}|^$*+?]+/gu))].slice(0, 6);
  const characters = new Set([...USUAL, ...literals]);
  const units = [
    ...characters,
    ...[...characters].slice(-8).map((character) => `${character} `),
    'a.',
    'a ',
    '. ',
    ...words,
  ];
  for (const unit of units)
    for (const before of ['', 'a', ...words])
      for (const end of ENDS) yield before + unit.repeat(length / unit.length) + end;
}

/** Runs texts through an expression, until one is slow. A timeout costs a thread, so it covers them all. */
const script = new vm.Script(`
  for (; at < texts.length; at += 1) {
    const started = now();
    expression.lastIndex = 0;
    texts[at].replace(expression, '');
    if (now() - started > limitMs) break;
  }
`);
const context = vm.createContext({ now: () => performance.now() });

/** @returns the index of the first text that takes longer than a time */
function findSlow(expression: RegExp, texts: readonly string[], limitMs: number, from = 0): number {
  Object.assign(context, { expression, texts, limitMs, at: from });
  try {
    script.runInContext(context, { timeout: 2 * TIMEOUT_MS });
  } catch {
    // The text at this index takes even longer.
  }
  return Number(context.at);
}

/** Repeats what a text repeats ten times as often. */
function lengthen(text: string): string {
  const middle = text.slice(SHORT - 100, SHORT - 50);
  return text.slice(0, 200) + middle.repeat(LONG / middle.length) + text.slice(-50);
}

/**
 * Looks for a text that takes an expression more than linear time.
 * @returns the begin of the text; undefined if none was found
 */
export function findSlowText({ pattern, flags }: Expression): string | undefined {
  const expression = new RegExp(pattern, flags);
  const texts = [...listTexts(pattern, SHORT)];
  for (let at = 0; ; at += 1) {
    at = findSlow(expression, texts, SUSPICIOUS_MS, at);
    const text = texts[at];
    if (text === undefined) return undefined;
    const long = lengthen(text);
    // Twice, because the machine may have been busy.
    if (
      findSlow(expression, [long], TIMEOUT_MS / 4) === 0 &&
      findSlow(expression, [long], TIMEOUT_MS / 4) === 0
    )
      return text.slice(0, 30);
  }
}
