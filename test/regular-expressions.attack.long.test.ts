// Attacks by long texts on regular expressions: each one takes linear time for any text.
import { expect, it } from 'vitest';
import { findSlowText, listExpressions } from './regular-expressions.ts';

it('a text of repeated characters blocks an isolate or a sidebar in a regular expression: all are linear', () => {
  const expressions = listExpressions(
    ['addon', 'shared', 'worker'],
    ['addon/dev/', 'worker/commands/', 'worker/sandbox/'],
  );
  const repeating = expressions.filter(({ pattern }) => /[^\\][*+]|\{\d+,\}/.test(pattern));
  expect(repeating.length).toBeGreaterThan(100);
  const slow = repeating.flatMap((expression) => {
    const text = findSlowText(expression);
    return text === undefined
      ? []
      : [`${expression.file}: /${expression.pattern}/ in ${JSON.stringify(text)}`];
  });
  expect(slow).toEqual([]);
});

it.each([
  ['adjacent quantifiers', '^\\s*```(?:json)?\\s*([\\s\\S]*?)\\s*```\\s*$'],
  ['a quantifier without an anchor before it', '\\/+$'],
  ['nested quantifiers', '^(?:a+)+$'],
])('the check itself finds %s', (_, pattern) => {
  expect(findSlowText({ file: '', pattern, flags: '' })).toBeDefined();
});
