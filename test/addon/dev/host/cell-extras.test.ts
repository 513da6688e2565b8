// What the playground keeps of a cell beside its value: notes, and links that go with the text that they are in.
import { expect, test } from 'vitest';
import { extras, linksOf, noteOf, pageOf } from '../../../../addon/dev/playground/grid/notes-and-links.ts';

const runs = [{ start: 0, end: 1, link: 'https://a.example/' }];

test('links go with their text, a note stays', () => {
  const kept = extras('mine', { text: 'a', runs });
  expect([noteOf(kept), linksOf(kept, 'a')]).toEqual(['mine', runs]);
  expect([noteOf(kept), linksOf(kept, 'typed')]).toEqual(['mine', null]);
  expect([noteOf(null), linksOf(null, null)]).toEqual(['', null]);
  expect(extras('', null)).toBeNull();
});

test('a link opens pages and nothing else', () => {
  expect(pageOf('https://a.example/b?c#d')).toBe('https://a.example/b?c#d');
  expect(pageOf('http://a.example')).toBe('http://a.example/');
  for (const link of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc',
    'blob:https://a',
    'a.example',
    '',
    null,
  ])
    expect(pageOf(link)).toBeUndefined();
});
