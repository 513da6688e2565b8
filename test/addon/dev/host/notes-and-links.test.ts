// Links of the playground's cells.
import { expect, test } from 'vitest';
import { toWebAddress } from '../../../../addon/dev/playground/grid/notes-and-links.ts';

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
  ];
  for (const link of [...others, null]) expect(toWebAddress(link)).toBeUndefined();
});
