// Search engine mappings: how index fields are analysed and stored.

/** Number types. Values outside the range of the type match nothing. */
export type NumberType = 'byte' | 'short' | 'integer' | 'long' | 'float' | 'double';

interface Leaf {
  /** false: stored but not searchable. */
  index?: boolean;
  /** Sub-fields: the same value, indexed in another way, as `<field>.<name>`. */
  fields?: Readonly<Record<string, Property>>;
}

/** A field. Member names follow Elasticsearch mappings. */
export type Property =
  | (Leaf & {
      type: 'text';
      /** Indexes the host of a URL instead of the text: the provider's `.domain_only`. */
      derive?: 'domain';
    })
  | (Leaf & {
      type: 'keyword';
      null_value?: string;
      ignore_above?: number;
    })
  | (Leaf & { type: NumberType; null_value?: number })
  | (Leaf & { type: 'boolean'; null_value?: boolean })
  | (Leaf & {
      type: 'date';
      /** Such as `yyyy-MM-dd HH:mm:ss`. Alternatives are separated by `||`. */
      format?: string;
      null_value?: string;
    })
  | { type: 'binary' }
  | { type: 'object'; properties: Properties }
  | { type: 'nested'; properties: Properties };

export type Properties = Readonly<Record<string, Property>>;

/** The fields of an index. */
export interface Mapping {
  properties: Properties;
}

/** A field with its full path. */
export interface MappedField {
  /** Full path including the sub-field: `locations_full.city.exact`. */
  path: string;
  property: Property;
  /** Path of the nearest enclosing nested object. Absent at the root. */
  nestedPath?: string;
}

/** Lists the fields of an index and its objects, each object before its own fields. Sub-fields are not listed. */
export function* listFields(
  properties: Properties,
  above = '',
  nestedPath?: string,
): Generator<MappedField, void> {
  for (const [name, property] of Object.entries(properties)) {
    const path = above === '' ? name : `${above}.${name}`;
    yield { path, property, ...(nestedPath === undefined ? {} : { nestedPath }) };
    if ('properties' in property)
      yield* listFields(property.properties, path, property.type === 'nested' ? path : nestedPath);
  }
}
