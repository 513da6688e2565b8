// The ways to say where a row comes from.
import type { Provenance } from '../../server/api.ts';

/** As they are offered. */
export const originOptions: readonly { value: Provenance; label: string }[] = [
  { value: 'none', label: 'No' },
  { value: 'columns', label: 'In columns beside it' },
  { value: 'notes', label: 'In a note on its first cell' },
];
