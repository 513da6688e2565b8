// What the rooms behind the cache pass to each other: a call to the provider, and who pays for it.
import type { Family } from '../../shared/families/index.ts';
import type { Operation } from '../../shared/operations.ts';

/** Who asks, and whose budget pays. */
export interface Payer {
  /** Id of the team. */
  team: string;
  /** Id of the token. */
  token: string;
}

/** What goes first when calls wait for the provider: people who look at a cell before work in the background. */
export const lanes = ['formula', 'bulk'] as const;
export type Lane = (typeof lanes)[number];

/** What a call does, as scopes, prices and the ledger name it. */
export type OperationName = Operation['name'];

/** One call to the provider. */
export interface ProviderCall {
  /** The name under which its answer is remembered, one for each question: `company_clean:website:example.com`. */
  name: string;
  operation: OperationName;
  family: Family;
  method: 'GET' | 'POST';
  /** Below `/cdapi`, with its query. */
  path: string;
  /** JSON. */
  body?: string;
  /** Credits that a 200 costs; any other answer is free (contract, "Credits"). */
  credits: number;
}
