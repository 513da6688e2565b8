// Validates payloads of the sidebar. A page that was opened before an update may send an outdated one.
import type { Method, Payload } from '../../shared/api/sidebar.ts';
import { findViolation, type Rule, type Rules } from '../../shared/payload-rules.ts';
import { AddonError } from '../lib/addon-error.ts';

/** The build generates these from the schemas in shared/api/sidebar.ts. */
declare const CDAPI_PAYLOADS: { readonly methods: Readonly<Record<Method, Rule>>; readonly rules: Rules };

/**
 * Requires that a payload has the shape of its method. The gateway validates lengths and field names.
 * @throws AddonError `bad_call` that names the invalid part
 */
export function requirePayload<M extends Method>(method: M, payload: unknown): asserts payload is Payload<M> {
  const { methods, rules } = CDAPI_PAYLOADS;
  const fault = findViolation(rules, methods[method], payload, method);
  if (fault === undefined) return;
  throw new AddonError(
    'bad_call',
    `This sidebar is outdated: ${fault} is not as expected. Close it and open it again.`,
  );
}
