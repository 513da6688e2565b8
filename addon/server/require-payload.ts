// Checks what the sidebar's page sends: a page that was open before an update may send what this script no longer takes.
import type { Method, Payload } from '../../shared/api/sidebar.ts';
import { findFault, type Rule, type Rules } from '../../shared/payload-rules.ts';
import { AddonError } from '../lib/addon-error.ts';

/** The build makes these of the schemas in shared/api/sidebar.ts. */
declare const CDAPI_PAYLOADS: { readonly methods: Readonly<Record<Method, Rule>>; readonly rules: Rules };

/**
 * Requires that a payload has the shape that its method takes. How long texts may be, and whether a filter or a field exists,
 * is for the gateway to judge.
 * @throws Refusal `bad_call` that names the part
 */
export function requirePayload<M extends Method>(method: M, payload: unknown): asserts payload is Payload<M> {
  const { methods, rules } = CDAPI_PAYLOADS;
  const fault = findFault(rules, methods[method], payload, method);
  if (fault === undefined) return;
  throw new AddonError(
    'bad_call',
    `This sidebar is of another version: ${fault} is not as expected. Close it and open it again.`,
  );
}
