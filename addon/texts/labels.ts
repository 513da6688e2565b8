// Labels of fields in the person's language. Only the page needs them.

import * as labels from '../../shared/query/field-labels.ts';
import { translate } from './texts.ts';

const SEPARATOR = ' › ';

/** Translates the parts of a label, such as `Experience › Title`. */
export const translateParts = (label: string): string =>
  label.split(SEPARATOR).map(translate).join(SEPARATOR);

/** Formats the label of a field path in the person's language. */
export const formatFieldLabel = (path: string): string =>
  translateParts(labels.formatEnglishFieldLabel(path));

/** Returns the heading of a field in a list of fields. */
export const getFieldSection = (path: string): string => translateParts(labels.getFieldSection(path));
