// Where Durable Objects are created. A stand-in of the platform, because workerd refuses jurisdictions.
import { expect, it } from 'vitest';
import { getObject } from '../../../worker/lib/objects.ts';

/** Records calls of a namespace; every other member throws. */
function recordCalls(calls: unknown[]): DurableObjectNamespace {
  const namespace = Object.create(null);
  namespace.jurisdiction = (name: string) => {
    calls.push(name);
    return namespace;
  };
  namespace.getByName = (...args: unknown[]) => calls.push(args);
  return namespace;
}

it('obtains objects from the jurisdiction, with the region as a hint', () => {
  const calls: unknown[] = [];
  const namespace = recordCalls(calls);
  getObject({ REGION: 'weur', JURISDICTION: 'eu' }, namespace, 'one');
  getObject({ REGION: 'mars', JURISDICTION: '' }, namespace, 'two');
  expect(calls).toEqual(['eu', ['one', { locationHint: 'weur' }], ['two', {}]]);
});
