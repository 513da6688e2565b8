// Finds the operation that a request calls.
import { fileOperations, type Operation, operations } from '../../../shared/operations.ts';
import type { Call } from './faults.ts';

const PREFIX = '/cdapi';
const KEY = '{key}';

const byPath = new Map(operations.map((operation) => [operation.path, operation]));
const byPrefix: readonly [string, Operation][] = operations
  .filter(({ path }) => path.endsWith(KEY))
  .map((operation) => [operation.path.slice(0, -KEY.length), operation]);

function toPathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}$/, '.+').replace(/\{\w+\}/g, '[^/]+')}$`);
}
const filesPattern = toPathPattern(fileOperations.list.path);
const downloadPattern = toPathPattern(fileOperations.download.path);

/**
 * Identifies the operation of a request.
 * @param requestPath - the path, with `/cdapi`
 */
export function identifyCall(method: string, requestPath: string): Call {
  const path = requestPath.startsWith(PREFIX) ? requestPath.slice(PREFIX.length) : requestPath;
  const operation =
    byPath.get(path) ?? byPrefix.find(([start]) => path.startsWith(start) && path.length > start.length)?.[1];
  if (operation?.method === method) {
    const { name, family } = operation;
    // A data request is charged when it is ready, by its delivered records.
    return { name, family, path, credits: name === 'bulk' ? 0 : operation.credits };
  }
  const name =
    method !== 'GET'
      ? undefined
      : filesPattern.test(path)
        ? 'files'
        : downloadPattern.test(path)
          ? 'download'
          : undefined;
  return { name, family: undefined, path, credits: 0 };
}
