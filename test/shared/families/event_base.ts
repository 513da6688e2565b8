// A fictional family in the form of shared/families.
import { createLabel, type FamilyDefinition } from '../../../shared/families/definition.ts';
import { dateTime, defineMapping, integer, text } from '../../../shared/index-fields/parts.ts';
import { defineFilters, rangeFilters, textFilter } from '../../../shared/query/filters.ts';

export const info: FamilyDefinition['info'] = {
  subject: 'company',
  variant: 'event',
  keyFields: { website: ['event_site'], shorthand_name: [] },
  updatedField: 'changed',
  defaultFields: ['venue', 'visitors'],
};

export const operations: FamilyDefinition['operations'] = {
  collect: ['id'],
  enrich: true,
  search: ['filter', 'es_dsl'],
  preview: ['filter'],
  bulk: ['ids', 'filter'],
};

export const dslSorts: NonNullable<FamilyDefinition['dslSorts']> = ['followers'];

export const prices = { record: 7, preview: 3 };

export const familyLabel: FamilyDefinition['familyLabel'] = createLabel(
  'Events',
  'Standard',
  'event',
  'events',
  {
    event_site: 'Website of the event',
  },
);

export const fields: FamilyDefinition['fields'] = defineMapping(() => ({
  id: integer,
  venue: text,
  event_site: text,
  visitors: integer,
  changed: dateTime,
}));

export const preview = ['id', 'venue', '_score'];

export const filters: FamilyDefinition['filters'] = defineFilters(() => [
  ...textFilter('venue', 'Venue'),
  ...rangeFilters('visitors', 'integer', 'Visitors'),
  ...rangeFilters('changed', 'datetime', 'Changed'),
]);

export const form: FamilyDefinition['form'] = {
  initialFields: ['venue'],
  columns: ['name'],
  source: filters,
};

export const changedAt: FamilyDefinition['changedAt'] = {
  field: 'changed',
  precision: 'second',
  filter: 'changed_gte',
};
