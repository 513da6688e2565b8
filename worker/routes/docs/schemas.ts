// JSON Schemas for readers: as a list of members, and as a value that fits.
import { html } from 'hono/html';
import type { Document, Schema } from '../../../shared/openapi/document.ts';
import { type Html, inline, nothing } from './html.ts';

/** Deep enough for everything that we take and answer. */
const MAX_DEPTH = 8;

/** Values longer than this are told by their number. */
const MAX_VALUES = 12;

/** Finds what a schema points to. */
export function resolved(schema: Schema, { components }: Document): Schema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const found = components.schemas[name];
  if (found === undefined) throw new Error(`The description has no schema ${name}.`);
  return found;
}

function typesOf({ type }: Schema): readonly string[] {
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}

function boundsOf({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string[] {
  const between = (low: number | undefined, high: number | undefined, unit: string): string[] => {
    if (low !== undefined && high !== undefined) return [`${low} to ${high}${unit}`];
    if (low !== undefined) return [`at least ${low}${unit}`];
    return high === undefined ? [] : [`at most ${high}${unit}`];
  };
  return [
    ...between(minimum, maximum, ''),
    ...between(minLength, maxLength, ' characters'),
    ...between(minItems, maxItems, ' items'),
  ];
}

/** What a value is, in a few words: `array of strings, at most 1000 items`. */
export function typeWords(given: Schema, document: Document): string {
  const schema = resolved(given, document);
  const types = typesOf(schema);
  const { items, format, anyOf } = schema;
  if (types.length === 0) return anyOf === undefined ? 'any' : 'one of several';
  const names = types.map((type) => {
    if (type !== 'array' || items === undefined) return type;
    const [of] = typesOf(resolved(items, document));
    return of === undefined ? 'array' : `array of ${of}s`;
  });
  return [names.join(' or '), ...(format === undefined ? [] : [format]), ...boundsOf(schema)].join(', ');
}

function valuesOf(schema: Schema, document: Document): Html {
  const { items } = schema;
  const values = schema.enum ?? (items === undefined ? undefined : resolved(items, document).enum);
  if (values === undefined) return nothing;
  if (values.length > MAX_VALUES) return html`<p class="values">One of ${values.length} words.</p>`;
  return html`<p class="values">${values.map((value) => html`<code>${String(value)}</code> `)}</p>`;
}

/** The object behind a schema that has members to show: itself, or what its lists hold. */
function insideOf(given: Schema, document: Document): Schema | undefined {
  const schema = resolved(given, document);
  if (schema.items !== undefined) return insideOf(schema.items, document);
  return schema.properties === undefined && schema.anyOf === undefined ? undefined : schema;
}

function member(name: string, own: Schema, required: boolean, document: Document, depth: number): Html {
  const schema = resolved(own, document);
  const { title, description } = { ...schema, ...own };
  const words = [title, description].filter((text) => text !== undefined).join(': ');
  const inside = depth < MAX_DEPTH ? insideOf(own, document) : undefined;
  return html`<li><div class="member"><code class="name">${name}</code> <span class="type">${typeWords(
    own,
    document,
  )}</span>${required ? html` <span class="required">required</span>` : nothing}${
    schema.default === undefined
      ? nothing
      : html` <span class="type">default <code>${JSON.stringify(schema.default)}</code></span>`
  }</div>${words === '' ? nothing : html`<p>${inline(words)}</p>`}${valuesOf(schema, document)}${
    inside === undefined ? nothing : members(inside, document, depth + 1)
  }</li>`;
}

function list(given: Schema, names: readonly string[], document: Document, depth: number): Html {
  const { properties = {}, required = [] } = given;
  const shown = Object.entries(properties).filter(([name]) => names.includes(name));
  return html`<ul class="members">${shown.map(([name, own]) =>
    member(name, own, required.includes(name), document, depth),
  )}</ul>`;
}

const namesOf = ({ properties = {} }: Schema): string[] => Object.keys(properties);

/** The members of an object, as a list; of several that may stand there, what they share and what tells them apart. */
export function members(given: Schema, document: Document, depth = 0): Html {
  const schema = insideOf(given, document);
  if (schema === undefined) return nothing;
  const variants = (schema.anyOf ?? [schema]).map((own) => resolved(own, document));
  const [first, ...others] = variants;
  if (first === undefined) return nothing;
  const shared = namesOf(first).filter((name) => others.every((own) => namesOf(own).includes(name)));
  const common = list(first, shared, document, depth);
  if (others.length === 0) return common;
  const apart = variants.map((own) => {
    const names = namesOf(own).filter((name) => !shared.includes(name));
    return list(own, names, document, depth);
  });
  return html`${common}<p class="or">and exactly one of</p>${apart}`;
}

const samples: Readonly<Record<string, unknown>> = {
  'date-time': '2026-09-01T12:00:00.000Z',
  date: '2026-09-01',
  uuid: '3f0c6f6e-8a1b-4c1e-9d53-0a4b6b8f2c11',
  uri: 'https://gateway.example',
};

/**
 * A value that fits a schema.
 * @param whole - with every member, or only with those that must be there
 */
export function sampleOf(given: Schema, document: Document, whole: boolean, depth = 0): unknown {
  const schema = resolved(given, document);
  const [example] = schema.examples ?? given.examples ?? [];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (depth > MAX_DEPTH) return null;
  const inner = (own: Schema): unknown => sampleOf(own, document, whole, depth + 1);
  const [type] = typesOf(schema);
  switch (type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const shown = Object.entries(properties).filter(
        ([name, own]) => whole || required.includes(name) || own.examples !== undefined,
      );
      return Object.fromEntries(shown.map(([name, own]) => [name, inner(own)]));
    }
    case 'array':
      return schema.items === undefined ? [] : [inner(schema.items)];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 0);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
      return samples[schema.format ?? ''] ?? '…';
    default:
      return schema.anyOf?.[0] === undefined ? '…' : inner(schema.anyOf[0]);
  }
}
