// Canonical JSON: equal queries get the same cache key, however they are written.
import { type Node, type ParseError, parseTree } from 'jsonc-parser';

const STRICT = { disallowComments: true, allowTrailingComma: false } as const;

/**
 * Rewrites a JSON text without white space and with sorted property names. Numbers keep their spelling, because some ids
 * exceed the precision of JavaScript. Duplicate names are kept, because the provider refuses them.
 * @returns undefined if the text is not valid JSON or is nested too deep
 */
export function canonicalizeJson(text: string): string | undefined {
  const write = (node: Node): string => {
    const children = node.children ?? [];
    if (node.type === 'array') return `[${children.map(write).join(',')}]`;
    if (node.type === 'number') return text.slice(node.offset, node.offset + node.length);
    if (node.type !== 'object') return JSON.stringify(node.value);
    const properties = children.map(({ children: [name, value] = [] }) => ({
      name: JSON.stringify(name?.value),
      value: value === undefined ? '' : write(value),
    }));
    properties.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    return `{${properties.map(({ name, value }) => `${name}:${value}`).join(',')}}`;
  };
  const errors: ParseError[] = [];
  try {
    const tree = parseTree(text, errors, STRICT);
    return tree === undefined || errors.length > 0 ? undefined : write(tree);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
