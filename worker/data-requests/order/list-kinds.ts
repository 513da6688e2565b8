// The kinds of data request that list keys.
import type { BulkKind } from '../../../shared/operations.ts';

export const listKinds = ['ids', 'id_file', 'shorthand_names', 'urls'] as const satisfies readonly BulkKind[];
export type ListKind = (typeof listKinds)[number];
