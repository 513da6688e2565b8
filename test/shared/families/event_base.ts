// A fictional family in the form of shared/families.
import {
  type ChangedAt,
  createLabel,
  type FamilyInfo,
  type FamilyLabel,
  type FamilyOperations,
  type Prices,
  type SearchForm,
  type SortField,
} from '../../../shared/families/definition.ts';
import type { Mapping } from '../../../shared/index-fields/mapping.ts';
import { dateTime, defineMapping, integer, text } from '../../../shared/index-fields/parts.ts';
import { defineFilters, type Filter, rangeFilters, textFilter } from '../../../shared/query/filters.ts';

export const info: FamilyInfo = {
  subject: 'company',
  variant: 'event',
  keyFields: { website: ['event_site'], shorthand_name: [] },
  updatedField: 'changed',
  defaultFields: ['venue', 'visitors'],
};

export const operations: FamilyOperations = {
  collect: ['id'],
  enrich: true,
  search: ['filter', 'es_dsl'],
  preview: ['filter'],
  bulk: ['ids', 'filter'],
};

export const dslSorts: readonly SortField[] = ['followers'];

export const prices: Prices = { record: 7, preview: 3 };

export const familyLabel: FamilyLabel = createLabel('Events', 'Standard', 'event', 'events', {
  event_site: 'Website of the event',
});

export const fields: Mapping = defineMapping(() => ({
  id: integer,
  venue: text,
  event_site: text,
  visitors: integer,
  changed: dateTime,
}));

export const preview: readonly string[] = ['id', 'venue', '_score'];

export const filters: readonly Filter[] = defineFilters(() => [
  ...textFilter('venue', 'Venue'),
  ...rangeFilters('visitors', 'integer', 'Visitors'),
  ...rangeFilters('changed', 'datetime', 'Changed'),
]);

export const form: SearchForm | null = {
  initialFields: ['venue'],
  columns: ['name'],
  source: filters,
};

export const changedAt: ChangedAt | null = { field: 'changed', precision: 'second', filter: 'changed_gte' };
