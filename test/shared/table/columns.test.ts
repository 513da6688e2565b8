// Headings, number formats and link texts of written tables.
import { expect, it } from 'vitest';
import { getPreviewColumns, getRecordColumns } from '../../../shared/families/columns.ts';
import { familyNames } from '../../../shared/families/index.ts';
import { formatEnglishFieldLabel } from '../../../shared/query/field-labels.ts';
import { getFormFields } from '../../../shared/query/form-fields.ts';
import { formatHeadings, isCountField, shortenUrl } from '../../../shared/table/columns.ts';

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
  ['websites_professional_network_canonical', 'Current profile URL'],
  ['size_employees_count_inferred', 'Employees, estimated'],
  ['follower_count', 'Followers'],
  ['author_posts_count', 'Author posts'],
  ['enriched_summary', 'Summary'],
  ['social_reddit_urls', 'Reddit URLs'],
  ['name_first', 'First name'],
  ['total_experience_duration_months', 'Total experience duration in months'],
  ['location_hq_country_iso_2', 'Country code (2 letters)'],
  ['experience.company_location_hq_full_address', 'Experience › Company address'],
  ['experience.date_from', 'Experience › From'],
  ['headquarters_street1', 'Headquarters street 1'],
  ['company_funding_rounds_collection.last_round_investors_count', 'Funding rounds › Last round investors'],
  ['job_industry_collection.job_industry_list.industry', 'Industries › Industry'],
  ['_score', 'Relevance'],
])('the label of %s is %s', (path, label) => {
  expect(formatEnglishFieldLabel(path)).toBe(label);
});

it.each(familyNames)('labels of the columns and fields of %s are distinct words', (family) => {
  const records = getRecordColumns(family).map(({ name }) => formatEnglishFieldLabel(name));
  expect(records.filter((label, at) => records.indexOf(label) !== at)).toEqual([]);
  const others = [...getPreviewColumns(family).map(({ name }) => formatEnglishFieldLabel(name))];
  const labels = [...records, ...others, ...getFormFields(family).map(({ label }) => label)];
  const raw =
    /_|canonical|collection|enriched|professional network|\b(?:count|HQ|ISO|URN|hash|list)\b|^is |[a-z]\d$/i;
  expect(labels.filter((label) => raw.test(label) || !/^[A-Z]/.test(label))).toEqual([]);
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
