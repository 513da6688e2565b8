// Notes and links of the playground's cells.
import { expect, test } from 'vitest';
import {
  getLinks,
  getNote,
  toCustomData,
  toWebAddress,
} from '../../../../addon/dev/playground/grid/notes-and-links.ts';

const runs = [{ start: 0, end: 1, link: 'https://a.example/' }];

test('drops links when the text changes and keeps the note', () => {
  const custom = toCustomData('mine', { text: 'a', runs });
  expect([getNote(custom), getLinks(custom, 'a')]).toEqual(['mine', runs]);
  expect([getNote(custom), getLinks(custom, 'typed')]).toEqual(['mine', null]);
  expect([getNote(null), getLinks(null, null)]).toEqual(['', null]);
  expect(toCustomData('', null)).toBeNull();
});

test('opens only web pages', () => {
  expect(toWebAddress('https://a.example/b?c#d')).toBe('https://a.example/b?c#d');
  expect(toWebAddress('http://a.example')).toBe('http://a.example/');
  const others = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc',
    'blob:https://a',
    'a.example',
    '',
    null,
  ];
  for (const link of others) expect(toWebAddress(link)).toBeUndefined();
});
