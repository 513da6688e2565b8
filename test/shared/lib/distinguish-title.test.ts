// Titles that several tables have.
import { expect, it } from 'vitest';
import { distinguishTitle } from '../../../shared/lib/format-count.ts';

it.each([
  ['software', 'Sheet1', 'software'],
  ['EMEA', 'Sheet1', 'EMEA (Sheet1)'],
  ['EMEA', 'EMEA', 'EMEA'],
])('of %s on %s shows the sheet only if the title is repeated and differs', (title, sheet, shown) => {
  expect(distinguishTitle(title, sheet, ['EMEA', 'software', 'EMEA'])).toBe(shown);
});
