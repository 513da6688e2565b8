// The fields of search forms with labels in the person's language.
import type { Family } from '../../shared/families/index.ts';
import * as english from '../../shared/query/form-fields.ts';
import { translateParts } from './labels.ts';

export const getFormFields = (family: Family): english.FormField[] =>
  english
    .getFormFields(family)
    .map((field) => ({ ...field, label: translateParts(field.label), group: translateParts(field.group) }));
