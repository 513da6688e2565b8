// Every problem says what happened and what to do, in a sentence each.
import { describe, expect, it } from 'vitest';
import { cellWord, isProblemCode, problem, problems } from '../../shared/problems.ts';

describe.each(Object.keys(problems).filter(isProblemCode))('%s', (code) => {
  it('has a sentence, a fix and a status, and carries its code', () => {
    const body = problem(code);
    expect(body.title).toMatch(/^[A-Z].*\.$/);
    expect(body.fix).toMatch(/^[A-Z].*\.$/);
    expect(body.status).toBeGreaterThanOrEqual(200);
    expect(body.code).toBe(code);
    expect(cellWord(code)).toMatch(/^#[A-Z_]+$/);
  });
});

it('says what exactly where that is known', () => {
  expect(problem('invalid_request', 'keys: too many').detail).toBe('keys: too many');
});
