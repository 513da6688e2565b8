// A fictitious family, written as the files of shared/families are.
import type {
  ChangedAt,
  FamilyFacts,
  FamilyLabel,
  FamilyOperations,
  Prices,
  SearchForm,
} from '../../../shared/families/definition.ts';
import type { Mapping } from '../../../shared/index-fields/mapping.ts';
import { integer, mapping, text, time } from '../../../shared/index-fields/parts.ts';
import { type Filter, filterList, range, words } from '../../../shared/query/filters.ts';

export const facts: FamilyFacts = {
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
  dslSorts: ['followers'],
};

export const prices: Prices = { record: 7, preview: 3 };

export const label: FamilyLabel = { name: 'Events', one: 'event', many: 'events' };

export const fields: Mapping = mapping(() => ({
  id: integer,
  venue: text,
  event_site: text,
  visitors: integer,
  changed: time,
}));

export const preview: readonly string[] = ['id', 'venue', '_score'];

export const filters: readonly Filter[] = filterList(() => [
  ...words('venue', 'Venue'),
  ...range('visitors', 'integer', 'Visitors'),
  ...range('changed', 'datetime', 'Changed'),
]);

export const form: SearchForm | null = {
  first: ['venue'],
  source: filters,
  labels: { event_site: 'Website of the event' },
};

export const changedAt: ChangedAt | null = { field: 'changed', precision: 'second', filter: 'changed_gte' };
