// Every problem says what happened and what to do, in a sentence each.
import { describe, expect, it } from 'vitest';
import { cellWord, isProblemCode, problem, problems } from '../../shared/problems.ts';

/** Status and word in a cell by code. A problem that only a whole call can end with has no word of its own. */
const table = {
  unauthorised: [401, '#UNAVAILABLE'],
  forbidden_scope: [403, '#UNAVAILABLE'],
  not_found: [404, '#NOT_FOUND'],
  unknown_address: [404, '#UNAVAILABLE'],
  method_not_allowed: [405, '#UNAVAILABLE'],
  not_remembered: [504, '#UNAVAILABLE'],
  too_large: [413, '#UNAVAILABLE'],
  invalid_key: [422, '#INVALID_KEY'],
  invalid_request: [422, '#UNAVAILABLE'],
  unknown_field: [422, '#UNAVAILABLE'],
  name_taken: [409, '#UNAVAILABLE'],
  too_many: [409, '#UNAVAILABLE'],
  price_changed: [409, '#UNAVAILABLE'],
  already_ordered: [409, '#UNAVAILABLE'],
  over_budget: [402, '#BUDGET'],
  max_credits_reached: [402, '#BUDGET'],
  spending_off: [402, '#BUDGET'],
  provider_out_of_credits: [402, '#BUDGET'],
  rate_limited: [429, '#RATE_LIMIT'],
  pending: [202, '#PENDING'],
  provider_unavailable: [503, '#UNAVAILABLE'],
  gateway_unavailable: [503, '#UNAVAILABLE'],
  provider_unclear: [502, '#UNAVAILABLE'],
  provider_refused: [502, '#UNAVAILABLE'],
  not_configured: [503, '#UNAVAILABLE'],
  sheet_not_shared: [403, '#UNAVAILABLE'],
  sheet_missing: [404, '#UNAVAILABLE'],
  sheet_refused: [409, '#UNAVAILABLE'],
  undelivered: [409, '#UNAVAILABLE'],
  google_unavailable: [503, '#UNAVAILABLE'],
  push_not_configured: [503, '#UNAVAILABLE'],
  erased: [410, '#ERASED'],
  internal: [500, '#UNAVAILABLE'],
};

it('has the status and the word in a cell that clients and formulas rely on', () => {
  const codes = Object.keys(problems).filter(isProblemCode);
  expect(Object.fromEntries(codes.map((code) => [code, [problem(code).status, cellWord(code)]]))).toEqual(
    table,
  );
});

describe.each(Object.keys(problems).filter(isProblemCode))('%s', (code) => {
  it('has a sentence and a fix, and carries its code', () => {
    const body = problem(code);
    expect(body.title).toMatch(/^[A-Z].*\.$/);
    expect(body.fix).toMatch(/^[A-Z].*\.$/);
    expect(body.code).toBe(code);
  });
});

it('tells how to write a key in words that hold for every formula, and that a row takes one', () => {
  const { title, fix } = problem('invalid_key');
  expect(fix).toContain('one key to a row');
  expect(`${title} ${fix}`).not.toMatch(/\bid\b|shorthand|profile/);
});
