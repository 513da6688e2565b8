// The documents of the reference index: the values of each record and nested object by path.
import { extractDomain } from '../../../../../shared/index-fields/domain.ts';
import type { Properties, Property } from '../../../../../worker/sandbox/search/mapping.ts';
import { type Source, splitWords } from './harness.ts';

/** A record or a nested object with its values by path. */
export interface Node {
  path: string;
  texts: Map<string, { term: string; position: number }[]>;
  /** Keywords, numbers, booleans and dates. */
  values: Map<string, (string | number | bigint | boolean)[]>;
  children: Node[];
}

const POSITION_GAP = 100;

function toIndexedValue(property: Property, value: unknown): string | number | bigint | boolean {
  if (property.type === 'date') return Date.parse(`${value}T00:00:00Z`);
  if (property.type === 'long') return BigInt(String(value));
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}

function addLeaf(node: Node, property: Property, path: string, values: readonly unknown[]): void {
  if ('index' in property && property.index === false) return;
  for (const value of values) {
    const indexed = value ?? ('null_value' in property ? property.null_value : undefined);
    if (indexed === undefined) continue;
    if (property.type !== 'text') {
      if (property.type === 'keyword' && String(indexed).length > (property.ignore_above ?? 1e9)) continue;
      node.values.set(path, [...(node.values.get(path) ?? []), toIndexedValue(property, indexed)]);
      continue;
    }
    const text = property.derive === 'domain' ? extractDomain(String(indexed)) : String(indexed);
    if (text === undefined) continue;
    const earlier = node.texts.get(path) ?? [];
    const start = earlier.length === 0 ? 0 : (earlier.at(-1)?.position ?? 0) + POSITION_GAP + 1;
    const terms = splitWords(text).map(({ term, position }) => ({ term, position: start + position }));
    node.texts.set(path, [...earlier, ...terms]);
  }
  if (!('fields' in property)) return;
  for (const [name, variant] of Object.entries(property.fields ?? {}))
    addLeaf(node, variant, `${path}.${name}`, values);
}

/** Builds the node of a record or nested object. */
export function buildNode(path: string, source: Source, properties: Properties, prefix: string): Node {
  const node: Node = { path, texts: new Map(), values: new Map(), children: [] };
  const addObject = (object: Source, fields: Properties, at: string): void => {
    for (const [name, value] of Object.entries(object)) {
      const property = fields[name];
      const values: unknown[] = Array.isArray(value) ? value : [value];
      if (property?.type === 'nested') {
        for (const child of values) {
          if (isSource(child))
            node.children.push(buildNode(at + name, child, property.properties, `${at}${name}.`));
        }
      } else if (property?.type === 'object') {
        for (const child of values)
          if (isSource(child)) addObject(child, property.properties, `${at}${name}.`);
      } else if (property !== undefined) addLeaf(node, property, at + name, values);
    }
  };
  addObject(source, properties, prefix);
  return node;
}

function isSource(value: unknown): value is Source {
  return typeof value === 'object' && value !== null;
}

/** Lists a node and all nodes below it. */
export function listDescendants(node: Node): Node[] {
  return [node, ...node.children.flatMap(listDescendants)];
}
