// The types of a family definition: the exports of each family's file in this folder.

import type { Mapping } from '../index-fields/mapping.ts';
import type { Filter } from '../query/filters.ts';
import type { Family } from './names.ts';
import type { Subject } from './subjects.ts';

/** Kinds of key that identify a record. */
export const keyKinds = ['website', 'id', 'shorthand_name'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** Query styles of the service. */
export type QueryStyle = 'filter' | 'es_dsl';

/** Ways to select the records of a data request. */
export type BulkKind = 'filter' | 'es_dsl' | 'ids' | 'id_file' | 'shorthand_names' | 'urls';

/** Sort orders of a search. */
export const sortFields = ['id', '_score', 'last_updated', 'followers', 'size_employees_count'] as const;
export type SortField = (typeof sortFields)[number];

/** Identity of a family and of its records. */
export interface FamilyInfo {
  subject: Subject;
  /** Distinguishes the family from the others of its subject. */
  variant: string;
  /** The family whose stored records the sandbox returns, if it is another one. */
  storedAs?: Family;
  /** Fields of a record that hold its keys. A shorthand name may be stored as a profile URL. */
  keyFields: { website: readonly string[]; shorthand_name: readonly string[] };
  /** Field with the time of the last change. */
  updatedField: string;
  /** Fields returned when the caller names none. */
  defaultFields: readonly string[];
}

/** Operations that a family supports. Source: provider API, "Endpoints" and "Bulk". */
interface FamilyOperations {
  collect: readonly KeyKind[];
  /** Set if the family has `enrich`, by website. */
  enrich?: true;
  search: readonly QueryStyle[];
  preview: readonly QueryStyle[];
  bulk: readonly BulkKind[];
}

/** Credits for a record and for a preview page. Source: provider API, "Endpoints". */
export interface Prices {
  record: number;
  preview: number;
}

/** Names of a family in user interfaces. */
export interface FamilyLabel {
  /** In a list of families: `Companies, standard`. */
  name: string;
  /** What the records describe: `Companies`. */
  group: string;
  /** Distinguishes the families of a group: `Standard`. */
  dataSet: string;
  /** One record, in a sentence: `company`. */
  singular: string;
  /** Several records, in a sentence: `companies`. */
  plural: string;
  /** Labels of fields that replace the generated ones. */
  fields: Readonly<Record<string, string>>;
}

interface SearchForm {
  /** Names of the fields that an empty form shows. */
  initialFields: readonly string[];
  /** Columns that a search writes by default. The id comes last: full records are looked up by it. */
  columns: readonly string[];
  /** Source of the form's fields: the named filters, or the index fields of a family without filters. */
  source: readonly Filter[] | Mapping;
  /** The index fields of named filters, for the query DSL. Absent if the form only builds named filters. */
  index?: Mapping;
}

/** The field with the time of the last change. Refreshes query it to fetch only newer records. */
export interface ChangedAt {
  field: string;
  /** `day` if the field may hold a date without a time. */
  precision: 'second' | 'day';
  /** The named filter for the field, if the family has filters. */
  filter?: string;
}

/**
 * The exports of a family's file. They are separate constants with pure initialisers, so that bundlers drop the unused
 * ones.
 */
export interface FamilyDefinition {
  info: FamilyInfo;
  operations: FamilyOperations;
  /** Sort orders of a DSL search besides `id` and `_score`. */
  dslSorts?: readonly SortField[];
  prices: Prices;
  familyLabel: FamilyLabel;
  /** Searchable fields, as a mapping of the search engine. */
  fields: Mapping;
  /** Fields of preview items. Empty without previews. Source: provider API, "Search-preview records" and "Records". */
  preview: readonly string[];
  /** Named filters. Empty if the family has no filter search. */
  filters: readonly Filter[];
  /** null if the family can't be searched. */
  form: SearchForm | null;
  /** null if the family can't be searched. */
  changedAt: ChangedAt | null;
}

/**
 * Derives the identity of a variant, such as multi-source, from its base family.
 * @param storedAs - the base family
 */
export function createVariant(base: FamilyInfo, variant: string, storedAs: Family): FamilyInfo {
  return { ...base, variant, storedAs };
}

/** Creates the names of a family. @param fields - labels of fields that replace the generated ones */
export function createLabel(
  group: string,
  dataSet: string,
  singular: string,
  plural: string,
  fields: Readonly<Record<string, string>> = {},
): FamilyLabel {
  return { name: `${group}, ${dataSet.toLowerCase()}`, group, dataSet, singular, plural, fields };
}
