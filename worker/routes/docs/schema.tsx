// Renders JSON Schemas as lists of members.
import type { Child } from 'hono/jsx';
import type { OpenApiDocument, Schema } from '../../../shared/openapi/document.ts';
import { listTypes, MAX_DEPTH, resolveSchema } from './samples.ts';

/** Maximum number of listed values. Longer lists show only the count. */
const MAX_VALUES = 12;

export interface DocumentProps {
  document: OpenApiDocument;
}

interface SchemaProps extends DocumentProps {
  schema: Schema;
}

/** Renders a line of text. Text between backticks is code. */
export const Inline = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>
);

function formatBounds({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string[] {
  const bounds = [
    [minimum, maximum, ''],
    [minLength, maxLength, ' characters'],
    [minItems, maxItems, ' items'],
  ] as const;
  return bounds.flatMap(([low, high, unit]) => {
    if (low !== undefined && high !== undefined) return [`${low} to ${high}${unit}`];
    if (low !== undefined) return [`at least ${low}${unit}`];
    return high === undefined ? [] : [`at most ${high}${unit}`];
  });
}

/** Formats a type: `array of strings, at most 1000 items`. */
export function formatType(schemaOrReference: Schema, document: OpenApiDocument): string {
  const schema = resolveSchema(schemaOrReference, document);
  const { items, format, anyOf } = schema;
  const names = listTypes(schema).map((type) => {
    const [itemType] =
      type === 'array' && items !== undefined ? listTypes(resolveSchema(items, document)) : [];
    return itemType === undefined ? type : `array of ${itemType}s`;
  });
  if (names.length === 0) return anyOf === undefined ? 'any' : 'one of several';
  return [names.join(' or '), ...(format === undefined ? [] : [format]), ...formatBounds(schema)].join(', ');
}

/** Renders the possible values of a schema or of the items of its list. */
export const Values = ({ schema, document }: SchemaProps) => {
  const { items = {} } = schema;
  const values = schema.enum ?? resolveSchema(items, document).enum ?? [];
  if (values.length > MAX_VALUES) return <p>One of {values.length} values.</p>;
  return values.length === 0 ? null : (
    <p class="values">
      {values.map((value) => (
        <code>{String(value)}</code>
      ))}
    </p>
  );
};

export const Default = ({ schema }: { schema: Schema }) =>
  schema.default === undefined ? null : (
    <small>
      {' '}
      default <code>{JSON.stringify(schema.default)}</code>
    </small>
  );

export const Required = () => <small class="required"> required</small>;

/** Finds the object schema with members: the schema itself, or the items of its list. */
function findObjectSchema(schemaOrReference: Schema, document: OpenApiDocument): Schema | undefined {
  const schema = resolveSchema(schemaOrReference, document);
  if (schema.items !== undefined) return findObjectSchema(schema.items, document);
  return schema.properties === undefined && schema.anyOf === undefined ? undefined : schema;
}

const getPropertyNames = ({ properties = {} }: Schema): string[] => Object.keys(properties);

const MemberList = ({
  schema: { properties = {}, required = [] },
  names,
  document,
  depth,
}: SchemaProps & { names: readonly string[]; depth: number }) => (
  <ul class="members">
    {Object.entries(properties)
      .filter(([name]) => names.includes(name))
      .map(([name, member]) => {
        const resolved = resolveSchema(member, document);
        const { title, description } = { ...resolved, ...member };
        return (
          <li>
            <code class="name">{name}</code> <small>{formatType(member, document)}</small>
            {required.includes(name) ? <Required /> : null}
            <Default schema={resolved} />
            {title === undefined && description === undefined ? null : (
              <p>
                <Inline text={[title, description].filter((part) => part !== undefined).join(': ')} />
              </p>
            )}
            <Values schema={resolved} document={document} />
            {depth < MAX_DEPTH ? <Members schema={member} document={document} depth={depth + 1} /> : null}
          </li>
        );
      })}
  </ul>
);

/** Renders the members of an object. For alternatives, renders the shared members first, then those of each alternative. */
export const Members = ({ schema, document, depth = 0 }: SchemaProps & { depth?: number }): Child => {
  const found = findObjectSchema(schema, document);
  if (found === undefined) return null;
  const variants = (found.anyOf ?? [found]).map((variant) => resolveSchema(variant, document));
  const [first = {}, ...others] = variants;
  const shared = getPropertyNames(first).filter((name) =>
    others.every((variant) => getPropertyNames(variant).includes(name)),
  );
  const list = (variant: Schema, names: readonly string[]) => (
    <MemberList schema={variant} names={names} document={document} depth={depth} />
  );
  if (others.length === 0) return list(first, shared);
  return (
    <>
      {list(first, shared)}
      <p>and exactly one of</p>
      {variants.map((variant) =>
        list(
          variant,
          getPropertyNames(variant).filter((name) => !shared.includes(name)),
        ),
      )}
    </>
  );
};
