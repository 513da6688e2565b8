// Names of people: which stored names may be those of a person, and which company a person is at.
import { describe, expect, it } from 'vitest';
import { resolveKey } from '../../../shared/keys/index.ts';
import {
  type Criteria,
  compareJobs,
  type Job,
  readCriteria,
} from '../../../worker/privacy/person-search/criteria.ts';
import { FoundPeople, toFoundPersonView } from '../../../worker/privacy/person-search/found-people.ts';

const fits = ({ fitsName }: Criteria, stored: string): boolean => fitsName?.(stored) ?? true;

describe('a name', () => {
  it.each([
    ['Jane Doe', 'Doe, Jane'],
    ['Jane Doe', 'Dr. Jane Maria DOE, PhD'],
    ['Jane Maria Doe', 'Jane Doe'],
    ['Jane Doe', 'J. Doe'],
    ['Jürgen Müller', 'Juergen Mueller'],
    ['Jurgen Muller', 'Jürgen Müller'],
    ['François Łukasz', 'Francois Lukasz'],
    ['Anne-Marie O’Brien', 'Annemarie Obrien'],
    ['Katherine Johansson', 'Katherine Johasnson'],
    ['王 小明', '王小明'],
    ['Doe', 'Jane Doe'],
  ])('%s fits %s', (name, stored) => {
    expect(fits(readCriteria({ name }), stored)).toBe(true);
  });

  it.each([
    ['Jane Doe', 'John Doe'],
    ['Jane Doe', 'Jane'],
    ['Jane Doe', 'J. D.'],
    ['Jane Doe', 'Janet Doering'],
    ['Jane Doe', ''],
  ])('%s does not fit %s', (name, stored) => {
    expect(fits(readCriteria({ name }), stored)).toBe(false);
  });
});

describe('an address alone', () => {
  it.each([
    ['jane.doe@acme.com', true],
    ['doe-jane2+news@acme.com', true],
    ['j.doe@acme.com', true],
    ['jdoe@acme.com', true],
    ['janed@acme.com', true],
    ['doe@acme.com', true],
    ['sales@acme.com', false],
    ['mary.doe@acme.com', false],
  ])('%s: its words fit Jane Doe: %s', (email, expected) => {
    const criteria = readCriteria({ email });
    expect(fits(criteria, 'Jane Doe')).toBe(expected);
    expect(criteria.companies).toEqual(['acme.com']);
  });

  it('has a company unless its host is a mail service', () => {
    expect(readCriteria({ email: 'jane.doe@gmail.com' })).toMatchObject({ name: 'jane doe', companies: [] });
    expect(readCriteria({ email: '4711@acme.com' })).toMatchObject({ name: null, companies: ['acme.com'] });
    expect(() => readCriteria({ email: '4711@gmail.com' })).toThrow(/neither a person nor a company/);
  });
});

describe('a company', () => {
  const at = (company: string | undefined, website?: string, isCurrent = true): Job => ({
    title: undefined,
    company,
    website,
    isCurrent,
  });
  const compare = (terms: Parameters<typeof readCriteria>[0], ...jobs: Job[]) =>
    compareJobs(readCriteria({ name: 'Jane Doe', ...terms }), jobs).employment;

  it.each([
    [{ company: 'Acme' }, at('ACME GmbH'), 'current'],
    [{ company: 'https://www.acme.com/about' }, at('Other name', 'shop.acme.com'), 'current'],
    [{ company: 'acme.com' }, at('Acme Inc.'), 'current'],
    [{ company: 'acme.com' }, at('Acme', 'acme.org'), 'elsewhere'],
    [{ email: 'jd@acme.com' }, at('Acme', 'acme.com', false), 'past'],
    [{ company: 'Zenith', email: 'jd@acme.com' }, at('Zenith'), 'current'],
    [{ company: 'Acme' }, at('Globex'), 'elsewhere'],
    [{}, at('Globex'), null],
  ] as const)('%o: a job at %o is %s', (terms, job, expected) => {
    expect(compare(terms, job)).toBe(expected);
  });

  it('is that of any job, and unknown without one', () => {
    expect(compare({ company: 'Acme' }, at('Globex'), at('Acme', undefined, false))).toBe('past');
    expect(compare({ company: 'Acme' })).toBe('unknown');
  });
});

it('a shorthand name of digits alone is never the id of somebody else', () => {
  const people = new FoundPeople(readCriteria({ name: 'Jane Doe' }), [], false);
  const mentions = [{ full_name: 'Jane Doe', url: 'https://network.example/in/4711' }];
  people.addRecord('employee_post', { id: '1', mentions }, 'cached');
  const [found] = people.list.flatMap(toFoundPersonView);
  expect(resolveKey('employee_base', 'auto', found?.key.value ?? '')).toMatchObject({ ok: false });
});
