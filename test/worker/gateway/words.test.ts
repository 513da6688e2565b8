// The provider's words, in each of the shapes in which it says them.
import { expect, it } from 'vitest';
import { parseProviderMessage } from '../../../worker/gateway/query.ts';

const said = (body: string): string | undefined =>
  parseProviderMessage({ status: 422, contentType: 'application/json', body });

it.each([
  ['{"detail": "No such field"}', 'No such field.'],
  ['{"detail": "Is it there?"}', 'Is it there?'],
  ['{"Error": "Not enough credits."}', 'Not enough credits.'],
  ['{"message": "No API key found in request"}', 'No API key found in request.'],
  [
    '{"detail": [{"loc": ["body", "sort"], "msg": "is not allowed"}, {"loc": ["body"], "msg": "too long"}]}',
    'sort: is not allowed; body: too long.',
  ],
])('%s is told as a sentence, so that what to do can follow it', (body, sentence) => {
  expect(said(body)).toBe(sentence);
});

it.each(['', 'no JSON', '{}', '{"detail": []}'])('%j says nothing', (body) => {
  expect(said(body)).toBeUndefined();
});
