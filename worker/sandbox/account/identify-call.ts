// Which operation a request calls, told by its path.
import { fileOperations, type Operation, operations } from '../../../shared/operations.ts';
import type { Call } from './faults.ts';

const PREFIX = '/cdapi';
const KEY = '{key}';

const byPath = new Map(operations.map((operation) => [operation.path, operation]));
const byPrefix: readonly [string, Operation][] = operations
  .filter(({ path }) => path.endsWith(KEY))
  .map((operation) => [operation.path.slice(0, -KEY.length), operation]);

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}$/, '.+').replace(/\{\w+\}/g, '[^/]+')}$`);
}
const files = pattern(fileOperations.list.path);
const download = pattern(fileOperations.download.path);

/**
 * Tells what a request calls.
 * @param requestPath - with `/cdapi` before it
 */
export function identifyCall(method: string, requestPath: string): Call {
  const path = requestPath.startsWith(PREFIX) ? requestPath.slice(PREFIX.length) : requestPath;
  const operation =
    byPath.get(path) ?? byPrefix.find(([start]) => path.startsWith(start) && path.length > start.length)?.[1];
  if (operation?.method === method) {
    const { name, family } = operation;
    // A data request is charged when it is ready, by the records that it delivers.
    return { name, family, path, credits: name === 'bulk' ? 0 : operation.credits };
  }
  const name =
    method !== 'GET' ? undefined : files.test(path) ? 'files' : download.test(path) ? 'download' : undefined;
  return { name, family: undefined, path, credits: 0 };
}
