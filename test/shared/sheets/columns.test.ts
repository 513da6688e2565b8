// Headings, number formats and link texts of written tables.
import { expect, it } from 'vitest';
import { formatHeadings, isCountField, shortenUrl } from '../../../shared/sheets/columns.ts';

it('headings are distinct labels of the fields', () => {
  expect(
    formatHeadings([
      'id',
      'websites_professional_network',
      'funding_rounds[0].last_round_type',
      'location_country',
      'headquarters_country_parsed',
    ]),
  ).toEqual([
    'ID',
    'Profile URL',
    'Funding rounds 1 › Last round type',
    'Country',
    'Country (headquarters_country_parsed)',
  ]);
});

it.each([
  ['https://www.acme.example/', 'acme.example'],
  ['http://acme.example/company/a-b', 'acme.example/company/a-b'],
  ['https://acme.example/?q==1', 'https://acme.example/?q==1'],
  ['https://=HYPERLINK(1).example', 'https://=HYPERLINK(1).example'],
  ['https://1.2/', 'https://1.2/'],
  ['https://cdn.example/logo.png', 'https://cdn.example/logo.png'],
  ['not a link', 'not a link'],
])('the text of %s is %s', (url, text) => {
  expect(shortenUrl(url)).toBe(text);
});

it('counts are told from years and ids', () => {
  const fields = ['followers', 'size_employees_count', 'stats.reactions', 'founded', 'id', 'country'];
  expect(fields.filter(isCountField)).toEqual(['followers', 'size_employees_count', 'stats.reactions']);
});
