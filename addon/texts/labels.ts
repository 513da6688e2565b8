// Labels of fields in the person's language. Only the page needs them.

import type { Family } from '../../shared/families/index.ts';
import * as labels from '../../shared/query/field-labels.ts';
import type { FormField } from '../../shared/query/form-fields.ts';
import * as formFields from '../../shared/query/form-fields.ts';
import { translate } from './texts.ts';

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
