// The operations of the service, as data: what they are called, where they live, what they cost.
import type { Family, KeyKind } from './families.ts';

/** One operation that answers a single record for a key. */
export interface RecordOperation {
  name: 'collect' | 'enrich';
  family: Family;
  /** The kinds of key it takes. */
  keys: readonly KeyKind[];
  /** Path below the service's prefix `/cdapi`; `{key}` stands for the encoded key. */
  path: string;
  /** The query parameter that carries the key, where the path does not. */
  keyParameter?: string;
  /** Credits that a 200 costs; any other answer is free. */
  credits: number;
}

/** The operations that answer one record, by family. Service description, "Collect and enrich". */
export const recordOperations: readonly RecordOperation[] = [
  {
    name: 'enrich',
    family: 'company_clean',
    keys: ['website'],
    path: '/v2/company_clean/enrich',
    keyParameter: 'website',
    credits: 10,
  },
  {
    name: 'collect',
    family: 'company_base',
    keys: ['id', 'shorthand_name'],
    path: '/v2/company_base/collect/{key}',
    credits: 10,
  },
];

/**
 * Finds the operation that answers a record of this family for this kind of key.
 * @returns the operation, or undefined where the service has none
 */
export function recordOperation(family: Family, kind: KeyKind): RecordOperation | undefined {
  return recordOperations.find((operation) => operation.family === family && operation.keys.includes(kind));
}

/**
 * The kinds of key by which records of a family can be looked up.
 * @returns the kinds, in the order of {@link recordOperations}
 */
export function lookupKinds(family: Family): KeyKind[] {
  return recordOperations
    .filter((operation) => operation.family === family)
    .flatMap((operation) => operation.keys);
}
