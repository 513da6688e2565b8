// How the fields of an index are analysed and stored: the mappings of the search engine, as data.

/** Kinds of number; what lies outside a kind's range matches nothing. */
export type NumberType = 'byte' | 'short' | 'integer' | 'long' | 'float' | 'double';

interface Leaf {
  /** false: stored, not searchable. */
  index?: boolean;
  /** The same value, indexed in another way, addressed as `<field>.<name>`. */
  fields?: Readonly<Record<string, Property>>;
}

/** One field. The words are those of the engine's own mappings. */
export type Property =
  | (Leaf & {
      type: 'text';
      /** Indexes the host of an address in place of the text: the provider's `.domain_only`. */
      derive?: 'domain';
    })
  | (Leaf & {
      type: 'keyword';
      null_value?: string;
      ignore_above?: number;
      /** Values and what is sought are compared in lower case. */
      lowercase?: boolean;
    })
  | (Leaf & { type: NumberType; null_value?: number })
  | (Leaf & { type: 'boolean'; null_value?: boolean })
  | (Leaf & {
      type: 'date';
      /** As `yyyy-MM-dd HH:mm:ss`; several are separated by `||`. */
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

/** A field found by its full path. */
export interface MappedField {
  /** Full path, sub-field included: `locations_full.city.exact`. */
  path: string;
  property: Property;
  /** The nearest nested object above it; undefined at the root. */
  nestedPath?: string;
}
