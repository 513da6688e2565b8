// Shortens compiled template literals: `"a".concat(b)` becomes `"a" + b`, which has the same value for texts and numbers.
import { Parser } from 'acorn';
import { type TransformOptions, transform } from 'esbuild';

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** Returns the literal text that `concat` is called on, and the arguments of this and further calls; undefined for other nodes. */
function getParts({ type, callee, arguments: args }: Node): Node[] | undefined {
  if (type !== 'CallExpression' || !isNode(callee) || !isNode(callee.object) || !Array.isArray(args)) return;
  const { object, property } = callee;
  const isConcat = isNode(property) && property.name === 'concat' && callee.computed === false;
  const first = typeof object.value === 'string' ? [object] : getParts(object);
  const parts = args.filter(isNode);
  if (!isConcat || first === undefined || parts.some((part) => part.type === 'SpreadElement')) return;
  return [...first, ...parts];
}

/** Removes an empty text before `b + "c"`, which is a text without it. */
function dropEmptyText(parts: readonly Node[]): readonly Node[] {
  const [first, , third] = parts;
  return first?.value === '' && typeof third?.value === 'string' ? parts.slice(1) : parts;
}

/** Prints a node, with brackets that the next pass removes where they are not needed. */
function print(code: string, node: Node): string {
  const parts = getParts(node);
  if (parts !== undefined)
    return `(${dropEmptyText(parts)
      .map((part) => `(${print(code, part)})`)
      .join('+')})`;
  const children = Object.values(node)
    .flatMap((member) => [member].flat())
    .filter(isNode);
  let printed = '';
  let at = node.start;
  for (const child of children.sort((a, b) => a.start - b.start)) {
    // A shorthand member is its name and its value.
    if (child.start < at) continue;
    printed += code.slice(at, child.start) + print(code, child);
    at = child.end;
  }
  return printed + code.slice(at, node.end);
}

/**
 * Shortens a minified script.
 * @param target - the ECMAScript version of the result
 */
export async function shortenConcatenations(
  code: string,
  target: TransformOptions['target'],
): Promise<string> {
  const program: unknown = Parser.parse(code, { ecmaVersion: 'latest' });
  if (!isNode(program)) throw new Error('The parser returned no program.');
  const { code: shortened } = await transform(print(code, program), {
    ...(target === undefined ? {} : { target }),
    minifyWhitespace: true,
    minifySyntax: true,
    charset: 'utf8',
    legalComments: 'none',
    supported: { 'template-literal': false },
  });
  return shortened.trim();
}
