// The routes of the drop-in API with the problems that each may name in `x-problem`.
import {
  commonProblems,
  type EndpointAddress,
  providerProblems,
  purchaseProblems,
} from '../../../shared/api/endpoint.ts';
import {
  type FileOperation,
  fileOperations,
  type Operation,
  operations,
} from '../../../shared/operations.ts';
import type { ProblemCode } from '../../../shared/problems.ts';

/** An operation that the drop-in API offers. */
export type DropInOperation = Operation | FileOperation;

const recordProblems = [
  ...providerProblems,
  ...purchaseProblems,
  'invalid_key',
  'not_cached',
  'erased',
] as const;

const bodyProblems = ['too_large', 'unsupported_encoding'] as const;

const queryProblems = [...providerProblems, ...bodyProblems, 'not_cached'] as const;

/** Problems of each operation, besides those of every route. */
const problemsByName: Readonly<Record<DropInOperation['name'], readonly ProblemCode[]>> = {
  collect: recordProblems,
  enrich: recordProblems,
  search: queryProblems,
  preview: [...queryProblems, ...purchaseProblems],
  bulk: [...providerProblems, ...purchaseProblems, ...bodyProblems, 'too_many'],
  list: ['not_found', 'provider_out_of_credits', 'provider_unavailable', 'provider_refused'],
  download: [...providerProblems, 'erased'],
};

/** Lists the problems of an operation's responses. */
export const listProblems = ({ name }: DropInOperation): readonly ProblemCode[] => [
  'unauthorised',
  'forbidden_scope',
  ...commonProblems,
  ...problemsByName[name],
];

/** Every route, below the prefix `/cdapi`. */
export const dropInRoutes: readonly (EndpointAddress & { problems: readonly ProblemCode[] })[] = [
  ...operations,
  ...Object.values(fileOperations),
].map((operation) => ({
  method: operation.method,
  path: operation.path,
  problems: listProblems(operation),
}));
