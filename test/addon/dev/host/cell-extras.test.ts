// What the playground keeps of a cell beside its value: notes, and links that go with the text that they are in.
import { expect, test } from 'vitest';
import {
  getLinks,
  getNote,
  toCustomData,
  toWebAddress,
} from '../../../../addon/dev/playground/grid/notes-and-links.ts';

const runs = [{ start: 0, end: 1, link: 'https://a.example/' }];

test('links go with their text, a note stays', () => {
  const kept = toCustomData('mine', { text: 'a', runs });
  expect([getNote(kept), getLinks(kept, 'a')]).toEqual(['mine', runs]);
  expect([getNote(kept), getLinks(kept, 'typed')]).toEqual(['mine', null]);
  expect([getNote(null), getLinks(null, null)]).toEqual(['', null]);
  expect(toCustomData('', null)).toBeNull();
});

test('a link opens pages and nothing else', () => {
  expect(toWebAddress('https://a.example/b?c#d')).toBe('https://a.example/b?c#d');
  expect(toWebAddress('http://a.example')).toBe('http://a.example/');
  for (const link of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc',
    'blob:https://a',
    'a.example',
    '',
    null,
  ])
    expect(toWebAddress(link)).toBeUndefined();
});
