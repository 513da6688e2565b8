// Custom functions: their declarations as Google parses them for autocomplete, arguments and outcomes.
import { type Comment, type Pattern, parse } from 'acorn';
import { isCellValue } from '../calls.ts';
import type { Failure, Outcome } from '../threads/protocol.ts';
import { unpack } from '../threads/protocol.ts';
import type { Argument, CellValue, FormulaResult, FunctionParameter, PublicFunction } from '../types.ts';

/**
 * Parses the public functions: top-level function declarations without a trailing underscore, in order.
 * Guide "Custom functions", autocomplete: `@customfunction`, `@param` and `@return` describe them.
 * @throws SyntaxError
 */
export function parseFunctions(code: string): readonly PublicFunction[] {
  const comments: Comment[] = [];
  const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'script', onComment: comments });
  const documentation = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'));
  const functions = new Map<string, PublicFunction>();
  for (const node of body) {
    if (node.type !== 'FunctionDeclaration' || node.id.name.endsWith('_')) continue;
    const comment = documentation.filter(({ end }) => end <= node.start).at(-1);
    const isOwn = comment !== undefined && code.slice(comment.end, node.start).trim() === '';
    const names = node.params.flatMap(listNames);
    functions.set(node.id.name, describeFunction(node.id.name, names, isOwn ? comment.value.slice(1) : ''));
  }
  return [...functions.values()];
}

/** Returns the name of a parameter; none if it is destructured. */
function listNames(parameter: Pattern): string[] {
  if (parameter.type === 'Identifier') return [parameter.name];
  if (parameter.type === 'RestElement') return listNames(parameter.argument);
  return parameter.type === 'AssignmentPattern' ? listNames(parameter.left) : [];
}

const joinLines = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' ');

const RETURNS = /^@returns?\s+(?:\{[^}]*\}\s*)?([\s\S]*)/;

function describeFunction(name: string, names: readonly string[], comment: string): PublicFunction {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());
  const tags = lines.join('\n').split(/^(?=@)/m);
  const description = tags[0]?.startsWith('@') ? '' : joinLines(tags[0] ?? '');
  const documented = tags.flatMap((tag) => parseParameter(tag) ?? []);
  const undocumented = { type: '', description: '', optional: false };
  return {
    name,
    description,
    params:
      documented.length > 0 ? documented : names.map((parameter) => ({ name: parameter, ...undocumented })),
    returns: joinLines(tags.flatMap((tag) => RETURNS.exec(tag)?.[1] ?? [])[0] ?? ''),
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
    description: joinLines(description),
    optional: bracket !== undefined || type.endsWith('='),
  };
}

/**
 * Converts an argument for a custom function. Guide "Custom functions", arguments: a single cell is its value, a range a
 * two-dimensional array, an empty cell ''. An omitted argument is undefined.
 */
export function toFunctionArgument(
  argument: Argument,
): CellValue | readonly (readonly CellValue[])[] | undefined {
  if (argument === null || argument === undefined) return undefined;
  if (isCellValue(argument)) return argument;
  const [row] = argument;
  const [value] = row ?? [];
  return argument.length === 1 && row?.length === 1 && value !== undefined ? value : argument;
}

/** Converts an outcome; the realm has already converted the value to cells. */
export function toFormulaResult(outcome: Outcome): FormulaResult {
  if (!outcome.done) return { error: outcome.failure.message, tooltip: formatTooltip(outcome.failure) };
  const rows = unpack(outcome.value);
  if (!Array.isArray(rows)) throw new TypeError('the outcome of a formula is not a list of cells');
  const values = rows.map((row: unknown) => (Array.isArray(row) ? row.filter(isCellValue) : []));
  return { values };
}

function formatTooltip({ name, message, line }: Failure): string {
  const sentence = name === '' ? message : `${name}: ${message}`;
  return line === undefined ? sentence : `${sentence} (line ${line}).`;
}
