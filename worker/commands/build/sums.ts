// Shortens compiled template literals: esbuild emits calls of concat, and sums are shorter.
import { type Node, Parser } from 'acorn';
import { transform } from 'esbuild';
import { HTML_SCRIPT } from './bundle.ts';

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** Returns the operands of a call such as `"a".concat(b)`; undefined for other nodes. */
function listOperands(node: Node): Node[] | undefined {
  if (!('callee' in node && isNode(node.callee) && 'arguments' in node && Array.isArray(node.arguments)))
    return undefined;
  const { callee } = node;
  if (!('object' in callee && isNode(callee.object) && 'property' in callee && isNode(callee.property)))
    return undefined;
  const { object, property } = callee;
  const isText = 'value' in object && typeof object.value === 'string';
  return isText && 'name' in property && property.name === 'concat'
    ? [object, ...node.arguments.filter(isNode)]
    : undefined;
}

const isText = (node: Node | undefined): boolean =>
  node !== undefined && 'value' in node && typeof node.value === 'string';

/** Formats operands as a sum. The empty text at the start stays unless another text makes the sum a string. */
function toSum([first, ...others]: Node[], code: string): string {
  const isEmpty = first !== undefined && 'value' in first && first.value === '';
  const operands =
    first === undefined || (isEmpty && others.slice(0, 2).some(isText)) ? others : [first, ...others];
  return `(${operands.map((operand) => `(${render(operand, code)})`).join('+')})`;
}

/** Returns the source of a node with sums. */
function render(node: Node, code: string): string {
  const operands = listOperands(node);
  if (operands !== undefined) return toSum(operands, code);
  const children = Object.values(node).flat().filter(isNode);
  let text = '';
  let at = node.start;
  for (const child of children.sort((a, b) => a.start - b.start)) {
    // Key and value of a shorthand member are the same text.
    if (child.start < at) continue;
    text += code.slice(at, child.start) + render(child, code);
    at = child.end;
  }
  return text + code.slice(at, node.end);
}

/**
 * Replaces calls of concat on texts by sums and minifies again.
 * @param target - the ECMAScript version of the script
 */
export async function shortenTemplates(script: string, target: string): Promise<string> {
  const sums = render(Parser.parse(script, { ecmaVersion: 'latest' }), script);
  const { code } = await transform(sums, {
    ...HTML_SCRIPT,
    target,
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
  });
  return code.trim();
}
