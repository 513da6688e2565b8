// Renders JSON Schemas as lists of members and as sample values.
import { html } from 'hono/html';
import type { OpenApiDocument, Schema } from '../../../shared/openapi/document.ts';
import { emptyHtml, type Html, renderInline } from './html.ts';

/** Maximum depth. Deeper than all schemas in use. */
const MAX_DEPTH = 8;

/** Maximum number of listed values. Longer lists show only the count. */
const MAX_VALUES = 12;

/** Resolves the reference of a schema. */
function resolveSchema(schema: Schema, { components }: OpenApiDocument): Schema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const found = components.schemas[name];
  if (found === undefined) throw new Error(`The description has no schema ${name}.`);
  return found;
}

function listTypes({ type }: Schema): readonly string[] {
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}

function formatBounds({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string[] {
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

/** Formats a type: `array of strings, at most 1000 items`. */
export function formatType(schemaOrReference: Schema, document: OpenApiDocument): string {
  const schema = resolveSchema(schemaOrReference, document);
  const types = listTypes(schema);
  const { items, format, anyOf } = schema;
  if (types.length === 0) return anyOf === undefined ? 'any' : 'one of several';
  const names = types.map((type) => {
    if (type !== 'array' || items === undefined) return type;
    const [itemType] = listTypes(resolveSchema(items, document));
    return itemType === undefined ? 'array' : `array of ${itemType}s`;
  });
  return [names.join(' or '), ...(format === undefined ? [] : [format]), ...formatBounds(schema)].join(', ');
}

function renderValues(schema: Schema, document: OpenApiDocument): Html {
  const { items } = schema;
  const values = schema.enum ?? (items === undefined ? undefined : resolveSchema(items, document).enum);
  if (values === undefined) return emptyHtml;
  if (values.length > MAX_VALUES) return html`<p class="values">One of ${values.length} values.</p>`;
  return html`<p class="values">${values.map((value) => html`<code>${String(value)}</code> `)}</p>`;
}

/** Finds the object schema with members: the schema itself, or the items of its list. */
function findObjectSchema(schemaOrReference: Schema, document: OpenApiDocument): Schema | undefined {
  const schema = resolveSchema(schemaOrReference, document);
  if (schema.items !== undefined) return findObjectSchema(schema.items, document);
  return schema.properties === undefined && schema.anyOf === undefined ? undefined : schema;
}

function renderMember(
  name: string,
  member: Schema,
  required: boolean,
  document: OpenApiDocument,
  depth: number,
): Html {
  const schema = resolveSchema(member, document);
  const { title, description } = { ...schema, ...member };
  const text = [title, description].filter((part) => part !== undefined).join(': ');
  const objectSchema = depth < MAX_DEPTH ? findObjectSchema(member, document) : undefined;
  return html`<li><div class="member"><code class="name">${name}</code> <span class="type">${formatType(
    member,
    document,
  )}</span>${required ? html` <span class="required">required</span>` : emptyHtml}${
    schema.default === undefined
      ? emptyHtml
      : html` <span class="type">default <code>${JSON.stringify(schema.default)}</code></span>`
  }</div>${text === '' ? emptyHtml : html`<p>${renderInline(text)}</p>`}${renderValues(schema, document)}${
    objectSchema === undefined ? emptyHtml : renderMembers(objectSchema, document, depth + 1)
  }</li>`;
}

function renderMemberList(
  schemaOrReference: Schema,
  names: readonly string[],
  document: OpenApiDocument,
  depth: number,
): Html {
  const { properties = {}, required = [] } = schemaOrReference;
  const shown = Object.entries(properties).filter(([name]) => names.includes(name));
  return html`<ul class="members">${shown.map(([name, member]) =>
    renderMember(name, member, required.includes(name), document, depth),
  )}</ul>`;
}

const getPropertyNames = ({ properties = {} }: Schema): string[] => Object.keys(properties);

/** Renders the members of an object. For alternatives, renders the shared members first, then those of each alternative. */
export function renderMembers(schemaOrReference: Schema, document: OpenApiDocument, depth = 0): Html {
  const schema = findObjectSchema(schemaOrReference, document);
  if (schema === undefined) return emptyHtml;
  const variants = (schema.anyOf ?? [schema]).map((variant) => resolveSchema(variant, document));
  const [first, ...others] = variants;
  if (first === undefined) return emptyHtml;
  const shared = getPropertyNames(first).filter((name) =>
    others.every((variant) => getPropertyNames(variant).includes(name)),
  );
  const common = renderMemberList(first, shared, document, depth);
  if (others.length === 0) return common;
  const alternatives = variants.map((variant) => {
    const names = getPropertyNames(variant).filter((name) => !shared.includes(name));
    return renderMemberList(variant, names, document, depth);
  });
  return html`${common}<p class="or">and exactly one of</p>${alternatives}`;
}

const samples: Readonly<Record<string, unknown>> = {
  'date-time': '2026-09-01T12:00:00.000Z',
  date: '2026-09-01',
  uuid: '3f0c6f6e-8a1b-4c1e-9d53-0a4b6b8f2c11',
  uri: 'https://gateway.example',
};

/**
 * Builds a sample value of a schema.
 * @param withOptional - includes optional members
 */
export function buildSample(
  schemaOrReference: Schema,
  document: OpenApiDocument,
  withOptional: boolean,
  depth = 0,
): unknown {
  const schema = resolveSchema(schemaOrReference, document);
  const [example] = schema.examples ?? schemaOrReference.examples ?? [];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (depth > MAX_DEPTH) return null;
  const inner = (member: Schema): unknown => buildSample(member, document, withOptional, depth + 1);
  const [type] = listTypes(schema);
  switch (type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const shown = Object.entries(properties).filter(
        ([name, member]) => withOptional || required.includes(name) || member.examples !== undefined,
      );
      return Object.fromEntries(shown.map(([name, member]) => [name, inner(member)]));
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
