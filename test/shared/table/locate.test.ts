// Locating tables by their marks, without a sheet.
import { expect, it } from 'vitest';
import {
  createColumnIds,
  findTableBelow,
  formatMark,
  locate,
  type Mark,
  readHeadings,
} from '../../../shared/table/locate.ts';

const columns = ['id', 'name'].map((heading, at) => ({ id: `c${at + 1}`, heading }));
const table = { id: 'table', sheetId: 7, columns, keyId: 'c1' };

/** Marks of the table in a row and columns of a sheet. */
const marks = (row: number, places: Record<string, number>, sheetId = 7): Mark[] => [
  { value: formatMark('table'), sheetId, at: row },
  ...Object.entries(places).map(([id, at]) => ({ value: formatMark('table', id), sheetId, at })),
];

it.each<[string, Mark[], (number | undefined)[] | RegExp]>([
  ['where its marks are', marks(3, { c2: 1, c1: 5 }), [3, 5, 1]],
  ['without a deleted column', marks(1, { c1: 2 }), [1, 2, undefined]],
  ['only in its own sheet', [...marks(1, { c1: 1, c2: 2 }), ...marks(9, { c1: 8, c2: 9 }, 8)], [1, 1, 2]],
  ['not in another sheet', marks(1, { c1: 1, c2: 2 }, 8), /Its columns were deleted/],
  ['not without its heading row', marks(1, { c1: 1, c2: 2 }).slice(1), /heading row/],
  ['not without its key', marks(1, { c2: 2 }), /“id” was deleted/],
  ['not with a copied column', [...marks(1, { c1: 1, c2: 2 }), ...marks(1, { c2: 4 }).slice(1)], /twice/],
  ['not with a copied heading row', [...marks(1, { c1: 1, c2: 2 }), ...marks(4, {})], /twice/],
])('a table is found %s', (_, all, expected) => {
  const found = locate(all, table);
  if (expected instanceof RegExp) expect('loss' in found && found.loss.detail).toMatch(expected);
  else expect('place' in found && [found.place.row, ...found.place.columns]).toEqual(expected);
});

it.each([
  ['Website', true],
  ['E.Mail', true],
  ['No.1', true],
  ['12345', false],
  ['acme.example', false],
  ['https://acme.example', false],
  ['ann@acme.example', false],
])('the heading %s of a key belongs to the headings: %s', (label, isHeading) => {
  const labels = readHeadings([label, 'Name'], { row: 1, columns: [1, 2] }, table);
  expect('headings' in labels).toBe(isHeading);
});

it('blank labels keep the last known heading, unless all are blank', () => {
  const place = { row: 1, columns: [1, 2] };
  expect(readHeadings(['', ' Firma '], place, table)).toEqual({ headings: ['id', 'Firma'] });
  expect(readHeadings(['', ''], place, table)).toHaveProperty('loss');
});

it('a table ends above the next one in its columns', () => {
  const place = { row: 1, columns: [1, undefined, 3] };
  const others = [
    { row: 1, columns: [1] },
    { row: 9, columns: [3] },
    { row: 5, columns: [2] },
    { row: 20, columns: [1] },
  ];
  expect(findTableBelow(place, others)).toBe(9);
  expect(findTableBelow(place, others.slice(2, 3))).toBeUndefined();
});

it('ids of columns are never used again', () => {
  expect(createColumnIds([{ id: 'c2' }, { id: 'c7' }], 2)).toEqual(['c8', 'c9']);
  expect(createColumnIds([], 1)).toEqual(['c1']);
});
