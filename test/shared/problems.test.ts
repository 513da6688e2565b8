// The problem catalogue: status, cell error, retry advice and texts.
import { expect, it } from 'vitest';
import {
  createProblem,
  getCellError,
  isProblemCode,
  problemPolicies,
  problems,
} from '../../shared/problems.ts';

/** Status, cell error and retry advice by code. */
const table = {
  unauthorised: [401, '#UNAVAILABLE', 'never'],
  forbidden_scope: [403, '#UNAVAILABLE', 'never'],
  sign_in_refused: [401, '#UNAVAILABLE', 'never'],
  domain_not_assigned: [403, '#UNAVAILABLE', 'never'],
  person_revoked: [403, '#UNAVAILABLE', 'never'],
  not_found: [404, '#NOT_FOUND', 'never'],
  unknown_address: [404, '#UNAVAILABLE', 'never'],
  method_not_allowed: [405, '#UNAVAILABLE', 'never'],
  not_remembered: [504, '#UNAVAILABLE', 'never'],
  too_large: [413, '#UNAVAILABLE', 'never'],
  invalid_key: [422, '#INVALID_KEY', 'never'],
  invalid_request: [422, '#UNAVAILABLE', 'never'],
  unknown_field: [422, '#UNAVAILABLE', 'never'],
  name_taken: [409, '#UNAVAILABLE', 'never'],
  too_many: [409, '#UNAVAILABLE', 'never'],
  price_changed: [409, '#UNAVAILABLE', 'never'],
  already_ordered: [409, '#UNAVAILABLE', 'later'],
  over_budget: [402, '#BUDGET', 'never'],
  max_credits_reached: [402, '#BUDGET', 'never'],
  spending_off: [402, '#BUDGET', 'never'],
  provider_out_of_credits: [402, '#BUDGET', 'later'],
  rate_limited: [429, '#RATE_LIMIT', 'later'],
  pending: [202, '#PENDING', 'later'],
  provider_unavailable: [503, '#UNAVAILABLE', 'later'],
  gateway_unavailable: [503, '#UNAVAILABLE', 'later'],
  provider_unclear: [502, '#UNAVAILABLE', 'never'],
  provider_refused: [502, '#UNAVAILABLE', 'later'],
  not_configured: [503, '#UNAVAILABLE', 'later'],
  sheet_not_shared: [403, '#UNAVAILABLE', 'never'],
  sheet_missing: [404, '#UNAVAILABLE', 'never'],
  sheet_refused: [409, '#UNAVAILABLE', 'never'],
  undelivered: [409, '#UNAVAILABLE', 'never'],
  stopped_by_admin: [403, '#UNAVAILABLE', 'never'],
  assistant_not_configured: [503, '#UNAVAILABLE', 'never'],
  assistant_unavailable: [503, '#UNAVAILABLE', 'later'],
  assistant_answer_invalid: [502, '#UNAVAILABLE', 'never'],
  maintenance: [503, '#UNAVAILABLE', 'later'],
  google_unavailable: [503, '#UNAVAILABLE', 'later'],
  push_not_configured: [503, '#UNAVAILABLE', 'never'],
  erased: [410, '#ERASED', 'never'],
  ambiguous_name: [409, '#AMBIGUOUS', 'never'],
  internal: [500, '#UNAVAILABLE', 'later'],
};

it('has the status, cell error and retry advice that clients, formulas and schedules rely on', () => {
  const codes = Object.keys(problems).filter(isProblemCode);
  expect(
    Object.fromEntries(
      codes.map((code) => [
        code,
        [createProblem(code).status, getCellError(code), problemPolicies[code].retry],
      ]),
    ),
  ).toEqual(table);
});

it('has a title and a fix for each code', () => {
  for (const code of Object.keys(problems).filter(isProblemCode)) {
    const { title, fix } = createProblem(code);
    for (const text of [title, fix]) expect(text, code).toMatch(/^[A-Z].*\.$/);
  }
});

it('describes invalid keys for every formula', () => {
  const { title, fix } = createProblem('invalid_key');
  expect(fix).toContain('one value to look up into each row');
  expect(`${title} ${fix}`).not.toMatch(/\bid\b|shorthand|profile/);
});
