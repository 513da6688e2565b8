// =CDAPI_COMPANY, =CDAPI_EMPLOYEE, =CDAPI_JOB and =CDAPI_POST on a running Worker: any mixture of keys, and variants.
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample, SAMPLE_SEED } from '../../../worker/commands/sample/index.ts';
import { answer, bodyOf, cellsOf, column, open, recordsFor } from './sheets.ts';

type Sample = Readonly<Record<string, unknown>>;

/** The first sample record of each family. */
const first = new Map<string, Sample>();
beforeAll(() => {
  // As many companies as the instance was seeded with: ids and names depend on it.
  for (const { family, record } of generateSample({ seed: SAMPLE_SEED, companies: 60 })) {
    if (!first.has(family)) first.set(family, { ...record });
  }
});

function fieldOf(family: string, field: string): string {
  const value = first.get(family)?.[field];
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`${family} has no ${field}`);
  return String(value);
}

describe('a mixture of keys', () => {
  it('of companies is one call, and each finds its record', async () => {
    const sheet = await open();
    const id = Number(fieldOf('company_base', 'id'));
    const name = fieldOf('company_base', 'company_shorthand_name');
    const url = `https://www.professional-network.com/company/${name.toUpperCase()}/about?x=1`;
    const keys = [id, String(id), name, url, '', 'no such-name', 'nobody-of-this-name'];
    const result = await sheet.formula('CDAPI_COMPANY', column(keys), 'id, company_shorthand_name');
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
    expect(sheet.sent.map((request) => bodyOf(request).keys)).toEqual([
      [String(id), name, 'nobody-of-this-name'],
    ]);
  });
});

describe('postings and posts', () => {
  it('are found by id; nothing else is a key of theirs', async () => {
    const sheet = await open();
    const job = Number(fieldOf('job_base', 'id'));
    const jobs = await sheet.formula('CDAPI_JOB', column([job, 'a-name', 'example.com']), 'id, title');
    expect(jobs).toEqual({
      values: [
        [job, expect.stringMatching(/./)],
        ['#INVALID_KEY', ''],
        ['#INVALID_KEY', ''],
      ],
    });
    const post = fieldOf('employee_post', 'id');
    expect(post).toMatch(/^\d{19}$/);
    const posts = await sheet.formula('CDAPI_POST', column([post]), 'id, author_name');
    expect(posts).toEqual({ values: [[post, expect.stringMatching(/./)]] });
  });

  it('whose id was kept as a number and lost its last digits are #INVALID_KEY, not somebody else’s', async () => {
    const sheet = await open();
    expect(await sheet.formula('CDAPI_POST', Number('7123456789012345678'), 'id')).toEqual({
      values: [['#INVALID_KEY']],
    });
    expect(await sheet.formula('CDAPI_JOB', column([1.5, -3, 0]), 'id')).toEqual({
      values: [['#INVALID_KEY'], ['#INVALID_KEY'], ['#INVALID_KEY']],
    });
    expect(sheet.sent).toEqual([]);
  });
});

describe('a cell that holds', () => {
  it('the word of another formula’s failed row keeps that word; any other error is #INVALID_KEY', async () => {
    const sheet = await open();
    const words = ['#PENDING', '#NOT_FOUND', '#BUDGET', '#RATE_LIMIT', '#UNAVAILABLE', '#ERASED'];
    expect(await sheet.formula('CDAPI_COMPANY', column([...words, '#INVALID_KEY']), 'id')).toEqual({
      values: [...words, '#INVALID_KEY'].map((word) => [word]),
    });
    const errors = ['#REF!', '#N/A', '#ERROR!', '#DIV/0!', '#NAME?', true, new Date(0), 'x'.repeat(50_000)];
    expect(await sheet.formula('CDAPI_COMPANY', column(errors), 'id')).toEqual({
      values: errors.map(() => ['#INVALID_KEY']),
    });
    expect(sheet.sent).toEqual([]);
  });

  it('text that looks like a formula shows it as text, in records as in keys', async () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=IMPORTXML("http://x.example","/")'];
    const sheet = await open({ fetch: recordsFor((_, at) => ({ name: texts[at] })) });
    const keys = column(texts.map((_, at) => `name-${at}`));
    expect(await sheet.formula('CDAPI_COMPANY', keys, 'name')).toEqual({
      values: texts.map((text) => [text]),
    });
    expect(sheet.host.workbook.sheets[0]?.formulas ?? []).toEqual([]);
    expect(await sheet.formula('CDAPI_COMPANY', column(texts.slice(-1)), 'name')).toEqual({
      values: [['#INVALID_KEY']],
    });
  });
});

describe('rows that end differently', () => {
  it('say so each in its own word, and the bought ones stay', async () => {
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
    const result = await sheet.formula('CDAPI_JOB', column([1, 2, 3, 4, 5, 6, 7]), 'id');
    expect(cellsOf(result).flat()).toEqual([
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
