// =CDAPI_COMPANY, =CDAPI_EMPLOYEE, =CDAPI_JOB and =CDAPI_POST
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample, SAMPLE_SEED } from '../../../worker/commands/sample/index.ts';
import { answer, getCells, open, parseBody, respondWithRecords, toColumn } from './sheets.ts';

type Sample = Readonly<Record<string, unknown>>;

/** First sample record of each family. */
const first = new Map<string, Sample>();
beforeAll(() => {
  // Same count as in the instance: ids and names depend on it.
  for (const { family, record } of generateSample({ seed: SAMPLE_SEED, companies: 60 })) {
    if (!first.has(family)) first.set(family, { ...record });
  }
});

function fieldOf(family: string, field: string): string {
  const value = first.get(family)?.[field];
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`${family} has no ${field}`);
  return String(value);
}

describe('mixed keys', () => {
  it('of companies find their records in one call', async () => {
    const sheet = await open();
    const id = Number(fieldOf('company_base', 'id'));
    const name = fieldOf('company_base', 'company_shorthand_name');
    const url = `https://www.professional-network.com/company/${name.toUpperCase()}/about?x=1`;
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
    const job = Number(fieldOf('job_base', 'id'));
    const jobs = await sheet.evaluate('CDAPI_JOB', toColumn([job, 'a-name', 'example.com']), 'id, title');
    expect(jobs).toEqual({
      values: [
        [job, expect.stringMatching(/./)],
        ['#INVALID_KEY', ''],
        ['#INVALID_KEY', ''],
      ],
    });
    const post = fieldOf('employee_post', 'id');
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
