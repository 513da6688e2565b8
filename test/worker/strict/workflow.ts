// A Workflow with counted calls and the deployed limit of parameters and events.
import type { Invocation } from './invocation.ts';
import { countBytes, WORKFLOW_PAYLOAD_BYTES } from './limits.ts';
import { type Override, withOverrides } from './with-overrides.ts';

/** Wraps a Workflow and its instances: each method is an operation. @param name - of the binding */
export function strictWorkflow<T extends object>(workflow: T, name: string, invocation: Invocation): T {
  const count =
    (method: string, convert: (result: unknown) => unknown = (result) => result): Override =>
    async (call, args) => {
      invocation.countOperation(name, method);
      if (method === 'create') invocation.meter?.add('workflow_instances');
      if (countBytes(JSON.stringify(args)) > WORKFLOW_PAYLOAD_BYTES) {
        invocation.refuse('message_size', name, 'The payload of a Workflow exceeds 1 MiB.');
      }
      return convert(await call(args));
    };
  const wrapInstance = (instance: unknown): unknown =>
    typeof instance === 'object' && instance !== null
      ? withOverrides(instance, name, {
          status: count('status'),
          sendEvent: count('sendEvent'),
          terminate: count('terminate'),
        })
      : instance;
  return withOverrides(workflow, name, {
    create: count('create', wrapInstance),
    get: count('get', wrapInstance),
  });
}
