// The people and companies that a record names, and their removal from it.
import { describe, expect, it } from 'vitest';
import type { DataRecord } from '../../../../shared/api/common.ts';
import type { Family } from '../../../../shared/families/index.ts';
import { toPage, toRecord } from '../../../../worker/gateway/cache/content.ts';
import {
  listNamedSubjects,
  removeNamedSubjects,
  toKeyText,
} from '../../../../worker/gateway/refusal-list/named-subjects.ts';
import { stripContent } from '../../../../worker/gateway/refusal-list/strip-content.ts';

function list(family: Family, record: DataRecord): Record<'keys' | 'owners' | 'others', string[]> {
  const { keys, owners, others } = listNamedSubjects(family, record);
  return { keys: keys.map(toKeyText), owners: owners.map(toKeyText), others: others.map(toKeyText) };
}

const remove = (record: DataRecord, ...erased: string[]): DataRecord =>
  removeNamedSubjects(record, (key) => erased.includes(toKeyText(key)));

const jane = 'employee:shorthand_name:jane-doe';
const janesUrl = 'https://www.network.example/in/jane-doe/';

describe('the keys of a record', () => {
  it.each<[string, Family, DataRecord, Partial<ReturnType<typeof list>>]>([
    [
      'a company by id, website and profile URL',
      'company_clean',
      {
        id: 7,
        websites_main: 'https://acme.example/',
        websites_professional_network: 'https://network.example/company/acme',
      },
      { keys: ['company:id:7', 'company:website:acme.example', 'company:shorthand_name:acme'], others: [] },
    ],
    [
      'a post by its id, its author as the owner, and the others in it',
      'employee_post',
      {
        id: '7200000000000000001',
        employee_parent_id: '5',
        author_profile_url: janesUrl,
        article_body:
          'With https://network.example/in/j%C3%BCrgen, and (https://network.example/company/acme).',
        mentions: [{ full_name: 'Max', url: 'https://network.example/in/max?trk=1' }],
        comments: [{ author_profile_url: 'network.example/in/Anna', comment: 'Good' }],
      },
      {
        keys: ['post:id:7200000000000000001'],
        owners: ['employee:id:5', jane],
        others: [
          'employee:shorthand_name:jürgen',
          'company:shorthand_name:acme',
          'employee:shorthand_name:max',
          'employee:shorthand_name:anna',
        ],
      },
    ],
    [
      'a job by its id, and its company as the owner',
      'job_base',
      {
        id: 3,
        company_id: 7,
        company_url: 'https://n.example/company/acme',
        job_company_website: 'acme.example',
      },
      {
        keys: ['job:id:3'],
        owners: ['company:id:7', 'company:shorthand_name:acme', 'company:website:acme.example'],
      },
    ],
    [
      'a duplicate profile by its main profile',
      'employee_base',
      { id: 9, parent_id: 5, historical_ids: [{ id: 4 }], shorthand_name: 'jane-doe' },
      { keys: ['employee:id:9', jane], owners: ['employee:id:5', 'employee:id:4'] },
    ],
    [
      'a person with employers',
      'employee_clean',
      {
        id: 9,
        company_id: 7,
        experience: [
          { company_id: 8, company_shorthand_name: 'Beta', company_website: 'http://www.beta.example' },
        ],
      },
      {
        keys: ['employee:id:9'],
        owners: [],
        others: [
          'company:id:7',
          'company:id:8',
          'company:shorthand_name:beta',
          'company:website:beta.example',
        ],
      },
    ],
  ])('names %s', (_, family, record, expected) => {
    expect(list(family, record)).toMatchObject(expected);
  });

  it('reads websites as websites, whatever their paths', () => {
    const record = {
      id: 3,
      job_company_website: 'https://acme.example/company/about',
      experience: [{ company_website: 'https://www.beta.example/in/' }],
      websites_main: 'https://facebook.com',
    };
    expect(list('job_base', record)).toEqual({
      keys: ['job:id:3'],
      owners: ['company:website:acme.example'],
      others: ['company:website:beta.example'],
    });
  });

  it.each([
    ['a path without spaces', `https://network.example${'/in/x'.repeat(20_000)}`],
    ['punctuation', `https://network.example/in/x${'.'.repeat(100_000)}`],
    ['a text without spaces', `${'名'.repeat(50_000)}/in/x${'.名'.repeat(50_000)}`],
  ])('is fast with %s', (_, text) => {
    const before = performance.now();
    list('employee_post', { id: 1, article_body: text });
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it('does not take names, counts and profiles of other networks for keys', () => {
    const record = {
      id: 7,
      name: 'in',
      employees_count: 5,
      websites_twitter: 'https://twitter.com/acme',
      description: 'Made in/for Europe. See acme.example/about',
    };
    expect(list('company_clean', record)).toEqual({ keys: ['company:id:7'], owners: [], others: [] });
  });
});

describe('the removal from a record', () => {
  it('removes whole items of lists, and leaves the others', () => {
    const record = {
      id: 1,
      comments: [
        { author_profile_url: janesUrl, author_name: 'Jane', comment: 'Hello' },
        { author_profile_url: 'https://network.example/in/max', comment: 'Hi' },
      ],
      nested: [{ list: [{ executive: { url: janesUrl, title: 'CEO' } }, { executive: { title: 'CFO' } }] }],
      urls: [janesUrl, 'https://network.example/in/max'],
    };
    expect(remove(record, jane)).toEqual({
      id: 1,
      comments: [record.comments[1]],
      nested: [{ list: [{ executive: { title: 'CFO' } }] }],
      urls: ['https://network.example/in/max'],
    });
  });

  it('removes all fields at the top that are about a company', () => {
    const record = {
      id: 1,
      full_name: 'Max',
      company_id: 7,
      company_name: 'Acme',
      company_website: 'acme.example',
    };
    expect(remove(record, 'company:id:7')).toEqual({ id: 1, full_name: 'Max' });
    expect(remove(record, 'company:website:acme.example')).toEqual({ id: 1, full_name: 'Max' });
  });

  it('cuts profile URLs out of longer texts', () => {
    const record = {
      id: 1,
      article_body: `Thanks to ${janesUrl} and https://network.example/in/jane-doe-2!`,
    };
    expect(remove(record, jane)).toEqual({
      id: 1,
      article_body: 'Thanks to  and https://network.example/in/jane-doe-2!',
    });
  });

  it('returns the same object if nobody in it is erased', () => {
    const record = { id: 1, comments: [{ author_profile_url: 'https://network.example/in/max' }] };
    expect(remove(record, jane)).toBe(record);
  });

  it('finds ids beyond 2^53 as bigints and as strings, and keeps all digits of the others', () => {
    const exact = {
      id: 9007199254740993n,
      list: [
        { company_id: 9007199254740995n, n: 9007199254740997n },
        { company_id: 9007199254740999n, n: 9007199254741001n },
      ],
    };
    const key = 'company:id:9007199254740995';
    expect(list('job_base', exact)).toMatchObject({
      keys: ['job:id:9007199254740993'],
      others: [key, 'company:id:9007199254740999'],
    });
    const content = toRecord(exact);
    expect(list('job_base', content.record.value)).toEqual(list('job_base', exact));
    const stripped = stripContent('job_base', content, (named) => toKeyText(named) === key);
    expect(stripped?.kind === 'record' && stripped.record.text).toBe(
      '{"id":9007199254740993,"list":[{"company_id":9007199254740999,"n":9007199254741001}]}',
    );
    const page = toPage([exact, 9007199254740995n], {});
    const others = stripContent('company_base', page, (named) => toKeyText(named) === key);
    expect(others?.kind === 'page' && others.items.text).toBe(
      '[{"id":9007199254740993,"list":[{"company_id":9007199254740999,"n":9007199254741001}]}]',
    );
  });

  it('keeps a field named __proto__', () => {
    const record: DataRecord = JSON.parse(`{"__proto__": {"a": 1}, "url": "${janesUrl}"}`);
    expect(JSON.stringify(remove(record, jane))).toBe('{"__proto__":{"a":1}}');
  });
});
