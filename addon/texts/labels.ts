// Labels of the contract in the person's language: fields, their sections, and cells that are no key.

import type { Family } from '../../shared/families/index.ts';
import type { NotKeyCounts } from '../../shared/keys/not-keys.ts';
import { type NotKey, notKeys } from '../../shared/keys/result.ts';
import * as labels from '../../shared/query/field-labels.ts';
import type { FormField } from '../../shared/query/form-fields.ts';
import * as formFields from '../../shared/query/form-fields.ts';
import { formatCount, type Text, translate } from './texts.ts';

/** Lists the fields of a search form. */
export const getFormFields = (family: Family): FormField[] =>
  formFields
    .getFormFields(family)
    .map((field) => ({ ...field, label: translateParts(field.label), group: translateParts(field.group) }));

const SEPARATOR = ' › ';

const translateParts = (label: string): string => label.split(SEPARATOR).map(translate).join(SEPARATOR);

/** Formats the label of a field path in the person's language. */
export const formatFieldLabel = (path: string): string => translateParts(labels.formatFieldLabel(path));

/** Returns the heading of a field in a list of fields. */
export const getFieldSection = (path: string): string => translateParts(labels.getFieldSection(path));

const NOT_KEYS: Readonly<Record<NotKey, readonly [one: Text, several: Text]>> = {
  name: ['name', 'names'],
  mail: ['private e-mail address', 'private e-mail addresses'],
  page: ['page on a shared site', 'pages on shared sites'],
  profile: ['other link', 'other links'],
  website: ['website', 'websites'],
  id: ['ID', 'IDs'],
  number: ['number that is no ID', 'numbers that are no IDs'],
  other: ['other text', 'other texts'],
};

/** `2 names, 1 private e-mail address`; '' if there are none. */
export const describeNotKeys = (counts: NotKeyCounts): string =>
  notKeys.flatMap((is) => (counts[is] ? [formatCount(counts[is], ...NOT_KEYS[is])] : [])).join(', ');
