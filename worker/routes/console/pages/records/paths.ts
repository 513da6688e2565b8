// Addresses of the pages of records. Keys of records are sent in bodies, never in addresses.

import type { FormValues } from '../../context.ts';
import { readText } from '../../form-values.ts';

/** Address of the look-up. */
export const RECORDS = '/console/records';

/** Address of the list of erasures. */
export const ERASURES = `${RECORDS}/erasures`;

/** Address of the list of refused keys. */
export const REFUSED_KEYS = `${RECORDS}/refused-keys`;

/** Returns the address of the proof of an erasure. */
export const getErasurePage = (id: string): string => `${ERASURES}/${encodeURIComponent(id)}`;

/** A record that a form names. */
export interface NamedRecord {
  family: string;
  key: string;
}

/** Reads the record that a form names. */
export const readRecord = (form: FormValues): NamedRecord => ({
  family: readText(form, 'family'),
  key: readText(form, 'key'),
});
