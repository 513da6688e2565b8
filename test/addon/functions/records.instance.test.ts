// =CDAPI_ENRICH, =CDAPI_COMPANY, =CDAPI_EMPLOYEE, =CDAPI_JOB and =CDAPI_POST
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { generateSample, SAMPLE_SEED } from '../../../worker/commands/sample/index.ts';
import { invalidateCache } from '../../invalidate-cache.ts';
import {
  answer,
  enrich,
  getCells,
  getSampleWebsites,
  measureSpending,
  open,
  parseBody,
  respondWithRecords,
  toColumn,
} from './sheets.ts';

type Sample = Readonly<Record<string, unknown>>;

/** First sample record of each family. */
const first = new Map<string, Sample>();
let websites: string[] = [];
beforeAll(async () => {
  websites = await getSampleWebsites();
  // Same count as in the instance: ids and names depend on it.
  for (const { family, record } of generateSample({ seed: SAMPLE_SEED, companies: 60 })) {
    if (!first.has(family)) first.set(family, { ...record });
  }
});

function getSampleField(family: string, field: string): string {
  const value = first.get(family)?.[field];
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`${family} has no ${field}`);
  return String(value);
}

describe('mixed keys', () => {
  it('of companies find their records in one call', async () => {
    const sheet = await open();
    const id = Number(getSampleField('company_base', 'id'));
    const name = getSampleField('company_base', 'company_shorthand_name');
    const url = `https://www.professional-network.example/company/${name.toUpperCase()}/about?x=1`;
    const keys = [id, String(id), name, url, '', 'no such-name', 'nobody-of-this-name'];
    const result = await sheet.evaluate('CDAPI_COMPANY', toColumn(keys), 'id, company_shorthand_name');
    expect(result).toEqual({
      values: [
        [id, name],
        [id, name],
        [id, name],
        [id, name],
        ['', ''],
        ['#INVALID_KEY', ''],
        ['#NOT_FOUND', ''],
      ],
    });
    expect(sheet.requests.map((request) => parseBody(request).keys)).toEqual([
      [String(id), name, 'nobody-of-this-name'],
    ]);
  });
});

describe('jobs and posts', () => {
  it('are found by id only', async () => {
    const sheet = await open();
    const job = Number(getSampleField('job_base', 'id'));
    const jobs = await sheet.evaluate('CDAPI_JOB', toColumn([job, 'a-name', 'example.com']), 'id, title');
    expect(jobs).toEqual({
      values: [
        [job, expect.stringMatching(/./)],
        ['#INVALID_KEY', ''],
        ['#INVALID_KEY', ''],
      ],
    });
    const post = getSampleField('employee_post', 'id');
    expect(post).toMatch(/^\d{19}$/);
    const posts = await sheet.evaluate('CDAPI_POST', toColumn([post]), 'id, author_name');
    expect(posts).toEqual({ values: [[post, expect.stringMatching(/./)]] });
  });

  it('with an id that lost digits as a number are #INVALID_KEY', async () => {
    const sheet = await open();
    expect(await sheet.evaluate('CDAPI_POST', Number('7123456789012345678'), 'id')).toEqual({
      values: [['#INVALID_KEY']],
    });
    expect(await sheet.evaluate('CDAPI_JOB', toColumn([1.5, -3, 0]), 'id')).toEqual({
      values: [['#INVALID_KEY'], ['#INVALID_KEY'], ['#INVALID_KEY']],
    });
    expect(sheet.requests).toEqual([]);
  });
});

describe('a key cell with', () => {
  it('the error word of another formula passes it on; other errors are #INVALID_KEY', async () => {
    const sheet = await open();
    const words = ['#PENDING', '#NOT_FOUND', '#BUDGET', '#RATE_LIMIT', '#UNAVAILABLE', '#ERASED'];
    expect(await sheet.evaluate('CDAPI_COMPANY', toColumn([...words, '#INVALID_KEY']), 'id')).toEqual({
      values: [...words, '#INVALID_KEY'].map((word) => [word]),
    });
    const errors = ['#REF!', '#N/A', '#ERROR!', '#DIV/0!', '#NAME?', true, new Date(0), 'x'.repeat(50_000)];
    expect(await sheet.evaluate('CDAPI_COMPANY', toColumn(errors), 'id')).toEqual({
      values: errors.map(() => ['#INVALID_KEY']),
    });
    expect(sheet.requests).toEqual([]);
  });

  it('formula-like text stays text', async () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=IMPORTXML("http://x.example","/")'];
    const sheet = await open({ fetch: respondWithRecords((_, at) => ({ name: texts[at] })) });
    const keys = toColumn(texts.map((_, at) => `name-${at}`));
    expect(await sheet.evaluate('CDAPI_COMPANY', keys, 'name')).toEqual({
      values: texts.map((text) => [text]),
    });
    expect(sheet.host.workbook.sheets[0]?.formulas ?? []).toEqual([]);
    expect(await sheet.evaluate('CDAPI_COMPANY', toColumn(texts.slice(-1)), 'name')).toEqual({
      values: [['#INVALID_KEY']],
    });
  });
});

describe('rows with different outcomes', () => {
  it('show their own error words, and bought rows stay', async () => {
    const problems = [
      'pending',
      'over_budget',
      'rate_limited',
      'not_found',
      'provider_unavailable',
      'erased',
    ];
    const sheet = await open({
      fetch: async () =>
        answer(200, {
          rows: [
            { key: '1', status: 'fetched', record: { id: 1 }, credits: 1 },
            ...problems.map((problem, at) => ({ key: `${at + 2}`, status: 'failed', credits: 0, problem })),
          ],
          credits: { spent: 1, saved: 0, remaining: 0 },
        }),
    });
    const result = await sheet.evaluate('CDAPI_JOB', toColumn([1, 2, 3, 4, 5, 6, 7]), 'id');
    expect(getCells(result).flat()).toEqual([
      1,
      '#PENDING',
      '#BUDGET',
      '#RATE_LIMIT',
      '#NOT_FOUND',
      '#UNAVAILABLE',
      '#ERASED',
    ]);
  });
});

describe('a range of websites', () => {
  it('returns a row for each website in one call', async () => {
    const sheet = await open();
    const [one = '', two = ''] = websites;
    const cells = [one, '', `https://www.${two.toUpperCase()}/about`, 'nobody.example', 'not a website', one];
    const result = await enrich(sheet, toColumn(cells), 'id, websites_main');
    expect(result).toEqual({
      values: [
        [expect.any(Number), expect.stringContaining(one)],
        ['', ''],
        [expect.any(Number), expect.stringContaining(two)],
        ['#NOT_FOUND', ''],
        ['#INVALID_KEY', ''],
        [expect.any(Number), expect.stringContaining(one)],
      ],
    });
    expect(sheet.requests.map((request) => parseBody(request).keys)).toEqual([[one, two, 'nobody.example']]);
  });
});

describe('a single website', () => {
  it('returns the default fields, with a heading on request', async () => {
    const sheet = await open();
    const result = await enrich(sheet, websites[0], '', 'header');
    expect(result).toMatchObject({ values: { length: 2 } });
    expect('values' in result && result.values[0]).toEqual([
      'name',
      'industry',
      'size_range',
      'location_hq_country',
      'founded',
    ]);
  });
});

describe('a formula with max_credits', () => {
  beforeEach(() => invalidateCache(inject('session')));

  it('buys as many records as the limit allows, and shows #BUDGET for the others', async () => {
    const three = websites.slice(0, 3);
    const sheet = await open();
    const ask = async (options: string) =>
      getCells(await sheet.evaluate('CDAPI_ENRICH', toColumn(three), 'name', options)).flat();
    expect(
      await measureSpending(async () => expect(await ask('max_credits=0')).toEqual(Array(3).fill('#BUDGET'))),
    ).toBe(0);
    const spent = await measureSpending(async () => {
      const cells = await ask('max_credits=29');
      expect(cells.filter((cell) => cell === '#BUDGET')).toHaveLength(1);
    });
    expect(spent).toBe(20);
    // Cached records are free.
    expect(
      await measureSpending(async () => expect(await ask('max_credits=10')).not.toContain('#BUDGET')),
    ).toBe(10);
  });

  it('passes the remaining limit to each further call', async () => {
    const sheet = await open({
      fetch: async (request) => {
        const { keys, max_credits = 0 } = parseBody<LookupRequest>(request);
        const bought = Math.min(keys.length, Math.floor(max_credits / 10) - 1);
        const rows = keys.map((key, at) =>
          at < bought
            ? { key, status: 'fetched', record: { name: key }, credits: 10 }
            : at === bought
              ? { key, status: 'pending', problem: 'pending', credits: 0 }
              : { key, status: 'over_budget', problem: 'max_credits_reached', credits: 0 },
        );
        return answer(200, { rows, credits: { spent: bought * 10, saved: 0, remaining: null } });
      },
    });
    const keys = toColumn(Array.from({ length: 2500 }, (_, at) => `a${at}.com`));
    await sheet.evaluate('CDAPI_ENRICH', keys, 'name', 'max_credits=15000');
    const limits = sheet.requests.map((request) => parseBody<LookupRequest>(request).max_credits);
    expect(limits).toEqual([15_000, 5000, 0]);
  });
});
