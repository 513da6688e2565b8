// Parses Code.js as Google does for autocomplete: top-level functions with their JSDoc.
import type { FunctionParameter, PublicFunction } from '../types.ts';

/**
 * Parses the public functions: top-level function declarations without a trailing underscore, in order.
 * Guide "Custom functions", autocomplete: `@customfunction`, `@param` and `@return` describe them.
 */
export function parseFunctions(code: string): readonly PublicFunction[] {
  const functions = new Map<string, PublicFunction>();
  for (const { name, parameters, comment } of findDeclarations(code)) {
    if (!name.endsWith('_')) functions.set(name, describeFunction(name, parameters, comment));
  }
  return [...functions.values()];
}

interface Declaration {
  readonly name: string;
  readonly parameters: string;
  /** The JSDoc directly before it, or ''. */
  readonly comment: string;
}

const DECLARATION = /^((?:async\s+)?function\s*\*?\s*([A-Za-z_$][\w$]*)\s*)\(([^)]*)/;
/** Longer than every keyword below, to distinguish `in` from the end of `begin`. */
const KEYWORD_LENGTH = 12;

/** A slash after one of these starts a regular expression; otherwise it divides. */
const BEFORE_REGEX =
  /(?:^|[=(,:;!&|?{}[+\-*%<>~^]|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do))$/;

/** A function after one of these is an expression, not a declaration. */
const BEFORE_EXPRESSION = /(?:[=(,:?&|!+\-*/%<>~^.[]|\b(?:new|typeof|void|delete|await|in|of|instanceof))$/;

/** Scans the text once, skipping strings, templates, comments and regular expressions. */
function* findDeclarations(code: string): Generator<Declaration> {
  let depth = 0;
  let comment = '';
  let at = 0;
  /** The last characters before `at`, without spaces and comments. */
  let previous = '';
  /** Depths at which a closing brace continues a template. */
  const templates: number[] = [];
  while (at < code.length) {
    const start = at;
    const character = code.charAt(at);
    if (/\s/.test(character)) at++;
    else if (code.startsWith('//', at)) at = skipPast(code, '\n', at);
    else if (code.startsWith('/*', at)) {
      at = skipPast(code, '*/', at + 2);
      if (depth === 0 && code.startsWith('/**', start)) comment = code.slice(start, at);
    } else {
      const declaration =
        depth === 0 && !BEFORE_EXPRESSION.test(previous) ? parseDeclaration(code, at) : null;
      const continuesTemplate = character === '}' && templates[templates.length - 1] === depth;
      if (declaration) {
        yield { ...declaration.parts, comment };
        at += declaration.length;
      } else if (character === '`' || continuesTemplate) {
        if (continuesTemplate) templates.pop();
        at = skipTemplate(code, at + 1);
        if (code.startsWith('${', at - 2)) templates.push(depth);
      } else {
        at = skipToken(code, at, previous);
        if (/[{([]/.test(character)) depth++;
        if (/[})\]]/.test(character)) depth--;
      }
      previous = code.slice(Math.max(start, at - KEYWORD_LENGTH), at);
      comment = '';
    }
  }
}

function parseDeclaration(code: string, at: number) {
  if (code.charAt(at) !== 'f' && code.charAt(at) !== 'a') return null;
  const match = DECLARATION.exec(code.slice(at, at + 2000));
  if (!match) return null;
  const [, start = '', name = '', parameters = ''] = match;
  return { parts: { name, parameters }, length: start.length };
}

/** Skips a string, a regular expression, a whole word or one character. */
function skipToken(code: string, at: number, previous: string): number {
  const character = code.charAt(at);
  if (character === '"' || character === "'") return skipQuoted(code, at, character);
  if (character === '/' && BEFORE_REGEX.test(previous)) return skipRegex(code, at);
  let end = at;
  while (/[\w$]/.test(code.charAt(end))) end++;
  return Math.max(end, at + 1);
}

function skipPast(code: string, mark: string, from: number): number {
  const index = code.indexOf(mark, from);
  return index < 0 ? code.length : index + mark.length;
}

function skipQuoted(code: string, at: number, quote: string): number {
  let end = at + 1;
  while (end < code.length && code.charAt(end) !== quote) end += code.charAt(end) === '\\' ? 2 : 1;
  return end + 1;
}

/** Skips to after the closing backtick or the next `${`. */
function skipTemplate(code: string, from: number): number {
  let end = from;
  while (end < code.length) {
    if (code.charAt(end) === '`') return end + 1;
    if (code.startsWith('${', end)) return end + 2;
    end += code.charAt(end) === '\\' ? 2 : 1;
  }
  return end;
}

function skipRegex(code: string, at: number): number {
  let inClass = false;
  let end = at + 1;
  for (; end < code.length; end++) {
    const character = code.charAt(end);
    if (character === '\\') end++;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '\n' || (character === '/' && !inClass)) break;
  }
  return end + 1;
}

function describeFunction(name: string, parameters: string, comment: string): PublicFunction {
  const lines = comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());
  const tags = lines.join('\n').split(/^(?=@)/m);
  const description = tags[0]?.startsWith('@') ? '' : (tags[0] ?? '').trim().replace(/\s*\n\s*/g, ' ');
  const documented = tags.flatMap((tag) => parseParameter(tag) ?? []);
  const names = parameters
    .split(',')
    .map((parameter) => /^\s*(?:\.\.\.)?([A-Za-z_$][\w$]*)/.exec(parameter)?.[1])
    .filter((parameter) => parameter !== undefined);
  const undocumented = { type: '', description: '', optional: false };
  return {
    name,
    description,
    params:
      documented.length > 0 ? documented : names.map((parameter) => ({ name: parameter, ...undocumented })),
    returns:
      /^@returns?\s+(?:\{[^}]*\}\s*)?([\s\S]*)/
        .exec(tags.find((tag) => /^@returns?\b/.test(tag)) ?? '')?.[1]
        ?.trim()
        .replace(/\s*\n\s*/g, ' ') ?? '',
    custom: tags.some((tag) => /^@customfunction\b/i.test(tag)),
  };
}

const PARAMETER = /^@param\s+(?:\{([^}]*)\}\s*)?(\[)?([A-Za-z_$][\w$.]*)(?:=[^\]]*)?\]?\s*(?:-\s*)?([\s\S]*)/;

function parseParameter(tag: string): FunctionParameter | null {
  const match = PARAMETER.exec(tag);
  if (!match) return null;
  const [, type = '', bracket, name = '', description = ''] = match;
  return {
    name,
    type: type.replace(/=$/, ''),
    description: description.trim().replace(/\s*\n\s*/g, ' '),
    optional: bracket !== undefined || type.endsWith('='),
  };
}
