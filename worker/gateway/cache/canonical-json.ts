// One spelling for a JSON text, so that the same question is remembered once however it was written.
import { type Node, type ParseError, parseTree } from 'jsonc-parser';

const STRICT = { disallowComments: true, allowTrailingComma: false } as const;

/**
 * Spells a JSON text without white space and with the names of its objects in order. Numbers stay as they were written,
 * since some ids are beyond what JavaScript holds; a name that stands twice stays twice, since the service refuses it.
 * @returns undefined where the text is no JSON, or nested too deep
 */
export function canonicalizeJson(text: string): string | undefined {
  const spell = (node: Node): string => {
    const children = node.children ?? [];
    if (node.type === 'array') return `[${children.map(spell).join(',')}]`;
    if (node.type === 'number') return text.slice(node.offset, node.offset + node.length);
    if (node.type !== 'object') return JSON.stringify(node.value);
    const members = children.map(({ children: [name, value] = [] }) => ({
      name: JSON.stringify(name?.value),
      value: value === undefined ? '' : spell(value),
    }));
    members.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
    return `{${members.map(({ name, value }) => `${name}:${value}`).join(',')}}`;
  };
  const errors: ParseError[] = [];
  try {
    const tree = parseTree(text, errors, STRICT);
    return tree === undefined || errors.length > 0 ? undefined : spell(tree);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
