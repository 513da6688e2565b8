// What a family says of itself: the types of the exports that each file of this folder has.

import type { Mapping } from '../index-fields/mapping.ts';
import type { Filter } from '../query/filters.ts';
import type { Family } from './names.ts';
import type { Subject } from './subjects.ts';

/** The kinds of key under which a record is stored. */
export const keyKinds = ['website', 'id', 'shorthand_name'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** The two styles of a query. */
export type QueryStyle = 'filter' | 'es_dsl';

/** The ways to name the records of a data request. */
export type BulkKind = 'filter' | 'es_dsl' | 'ids' | 'id_file' | 'shorthand_names' | 'urls';

/** What a page of a search can be sorted by. */
export type SortField = 'id' | '_score' | 'last_updated' | 'followers' | 'size_employees_count';

/** How records of a family are called, known and shown. */
export interface FamilyInfo {
  subject: Subject;
  /** Distinguishes the family from the others of its subject. */
  variant: string;
  /** The family whose records the sandbox answers with, where it is another one. */
  storedAs?: Family;
  /** The fields of a record that hold its keys; a shorthand name may stand there as a profile URL. */
  keyFields: { website: readonly string[]; shorthand_name: readonly string[] };
  /** The field that says when a record was last changed. */
  updatedField: string;
  /** Shown where the caller names no fields. */
  defaultFields: readonly string[];
}

/** What the service can do with a family. Service description, "Endpoints"; contract, "Bulk" for what it adds. */
export interface FamilyOperations {
  /** Kinds of key that collect takes. */
  collect: readonly KeyKind[];
  /** Is there enrich, by website? */
  enrich?: true;
  search: readonly QueryStyle[];
  preview: readonly QueryStyle[];
  bulk: readonly BulkKind[];
  /** What a DSL search can be sorted by beside `id` and `_score`. */
  dslSorts?: readonly SortField[];
}

/** Credits for one record, and for a page of a preview. Service description, "Endpoints". */
export interface Prices {
  record: number;
  preview: number;
}

/** What people read. */
export interface FamilyLabel {
  /** In a list of families: `Companies, clean`. */
  name: string;
  /** One record, in a sentence: `company`. */
  singular: string;
  /** Several records, in a sentence: `companies`. */
  plural: string;
}

/** The form by which a person searches a family. */
export interface SearchForm {
  /** Names of the fields that an empty form shows. */
  initialFields: readonly string[];
  /** The named filters become the form's fields; of a family without filters the index fields do. */
  source: readonly Filter[] | Mapping;
  /** Labels of fields whose names say less than they could. */
  labels?: Readonly<Record<string, string>>;
}

/** Where a family says when a record was last changed: a standing search asks only for what is newer. */
export interface ChangedAt {
  /** The index field. */
  field: string;
  /** Of some families it holds a day and no time. */
  precision: 'second' | 'day';
  /** The named filter, where the family has filters. */
  filter?: string;
}

/**
 * The exports of a family's file. They are separate constants, so that a bundle carries only those that it uses: calls that
 * compute them are marked as pure.
 */
export interface FamilyDefinition {
  info: FamilyInfo;
  operations: FamilyOperations;
  prices: Prices;
  label: FamilyLabel;
  /** What the records are searched by, in the words of the search engine. */
  fields: Mapping;
  /** The fields of preview items. Service description, "Search-preview records"; contract, "Records". None without preview. */
  preview: readonly string[];
  /** None where the family has no search by filters. */
  filters: readonly Filter[];
  /** null where the family can't be searched. */
  form: SearchForm | null;
  /** null where the family can't be searched. */
  changedAt: ChangedAt | null;
}

/**
 * The facts of a family whose records are those of another one, seen from more sources.
 * @param storedAs - the other family
 */
export function createVariant(facts: FamilyInfo, variant: string, storedAs: Family): FamilyInfo {
  return { ...facts, variant, storedAs };
}
