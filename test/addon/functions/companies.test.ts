// =CDAPI_MATCH, =CDAPI_PEOPLE, =CDAPI_JOBS and their counts
import { describe, expect, it } from 'vitest';
import type { AccountCountsRequest, AccountsRequest } from '../../../shared/api/accounts.ts';
import type { MatchRequest, MatchResponse } from '../../../shared/api/match.ts';
import { answer, createClock, getCells, open, parseBody, toColumn } from './sheets.ts';

const credits = { spent: 10, saved: 0, remaining: null };

/** A gateway that knows one company by name. */
const matching = (row: Partial<MatchResponse['matches'][number]> = {}) =>
  open({
    fetch: async (request) => {
      if (!request.url.endsWith('/match')) return answer(404, { code: 'unknown_address' });
      const { companies } = parseBody<MatchRequest>(request);
      const matches = companies.map(({ name }) => ({
        name,
        state: 'match',
        confidence: 0.97,
        candidates: [{ id: '4711', confidence: 0.97, name: 'Acme GmbH', website: 'https://acme.example' }],
        ...row,
      }));
      return answer(200, { matches, credits, stamp: 'one' });
    },
  });

describe('CDAPI_MATCH', () => {
  it('shows name, website, id and confidence beside each name', async () => {
    const sheet = await matching();
    const cells = getCells(
      await sheet.evaluate('CDAPI_MATCH', toColumn(['ACME', '', 'Acme Inc', '#NOT_FOUND'])),
    );
    const found = ['Acme GmbH', 'https://acme.example', 4711, 0.97, ''];
    expect(cells).toEqual([found, ['', '', '', '', ''], found, ['#NOT_FOUND', '', '', '', '']]);
    expect(parseBody<MatchRequest>(sheet.requests[0] ?? fail())).toMatchObject({
      family: 'company_clean',
      companies: [{ name: 'ACME' }, { name: 'Acme Inc' }],
    });
  });

  it('sends no address of a person, and no text that is too long for a name', async () => {
    const sheet = await matching();
    const cells = getCells(
      await sheet.evaluate('CDAPI_MATCH', toColumn(['ada@acme.example', 'Acme', 'x'.repeat(201)])),
    );
    expect([cells[0], cells[2]]).toEqual(Array(2).fill(['#INVALID_KEY', '', '', '', '']));
    expect(JSON.stringify(sheet.requests.map((request) => parseBody(request)))).not.toContain('ada@');
  });

  it('sends countries, cities and options, and distinct names once', async () => {
    const sheet = await matching();
    const names = toColumn(['Acme', 'Acme']);
    const options = 'header, threshold=0.9, no_previews, variant=base, max_credits=20';
    const cells = getCells(
      await sheet.evaluate('CDAPI_MATCH', names, 'Germany', toColumn(['Berlin', 'Berlin']), options),
    );
    expect(cells[0]).toEqual(['name', 'website', 'id', 'confidence', 'note']);
    expect(cells).toHaveLength(3);
    expect(sheet.requests.map((request) => parseBody<MatchRequest>(request))).toMatchObject([
      {
        family: 'company_base',
        companies: [{ name: 'Acme', country: 'Germany', city: 'Berlin' }],
        threshold: 0.9,
        previews: false,
        max_credits: 20,
      },
    ]);
  });

  it('does not call again for names that it knows', async () => {
    const sheet = await matching();
    await sheet.evaluate('CDAPI_MATCH', toColumn(['Acme']));
    await sheet.evaluate('CDAPI_MATCH', toColumn(['Acme', 'Globex']));
    const sent = sheet.requests.map((request) => parseBody<MatchRequest>(request).companies);
    expect(sent).toEqual([[{ name: 'Acme' }], [{ name: 'Globex' }]]);
  });

  it.each([
    [
      'candidates of an uncertain name, and no id',
      { state: 'ambiguous' as const },
      ['', '', '', 0.97, 'Not certain: Acme GmbH (4711), 97% likely'],
    ],
    [
      '#NOT_FOUND without candidates',
      { state: 'none' as const, candidates: [], confidence: 0 },
      ['#NOT_FOUND', '', '', '', ''],
    ],
    [
      'the problem of a name',
      { state: 'none' as const, candidates: [], problem: 'pending' as const },
      ['#PENDING', '', '', '', ''],
    ],
  ])('shows %s', async (_, row, expected) => {
    const sheet = await matching(row);
    expect(getCells(await sheet.evaluate('CDAPI_MATCH', 'Acme'))).toEqual([expected]);
  });

  it('stops calling when its time is over, and keeps what it has', async () => {
    const clock = createClock();
    const sheet = await open({
      now: clock.now,
      fetch: async (request) => {
        if (request.url.endsWith('/me')) return answer(404, { code: 'unknown_address', detail: '', fix: '' });
        clock.pass(28);
        const { companies } = parseBody<MatchRequest>(request);
        const matches = companies.map(({ name }) => ({ name, state: 'none', confidence: 0, candidates: [] }));
        return answer(200, { matches, credits, stamp: 'one' });
      },
    });
    const names = Array.from({ length: 120 }, (_, at) => `Company ${at}`);
    const cells = getCells(await sheet.evaluate('CDAPI_MATCH', toColumn(names)));
    expect(sheet.requests.filter(({ url }) => url.endsWith('/match'))).toHaveLength(1);
    expect([cells[0]?.[0], cells[119]?.[0]]).toEqual(['#NOT_FOUND', '#PENDING']);
  });

  it('sends no country or city that is an error, and no address in them', async () => {
    const sheet = await matching();
    const countries = toColumn(['#N/A', 'Ger\nmany', 'ada@acme.example']);
    const cells = getCells(
      await sheet.evaluate('CDAPI_MATCH', toColumn(['Acme', 'Globex', 'Initech']), countries),
    );
    expect(cells[2]?.[0]).toBe('#INVALID_KEY');
    expect(parseBody<MatchRequest>(sheet.requests[0] ?? fail()).companies).toEqual([
      { name: 'Acme' },
      { name: 'Globex', country: 'Ger many' },
    ]);
  });

  it.each([
    ['no names', [toColumn(['', ''])], /^There are no names: /],
    ['a loading name', ['Loading...'], /still loading/],
    ['columns of other heights', [toColumn(['a', 'b', 'c']), toColumn(['x', 'y'])], /same number of rows/],
    ['an unknown variant', ['Acme', '', '', 'variant=huge'], /use clean or base or multi-source/],
    ['a threshold above 1', ['Acme', '', '', 'threshold=2'], /is not an option: use header/],
  ])('refuses %s without a call', async (_, args, message) => {
    const sheet = await matching();
    expect(await sheet.evaluate('CDAPI_MATCH', ...args)).toMatchObject({
      error: expect.stringMatching(message),
    });
    expect(sheet.requests).toEqual([]);
  });
});

/** A gateway with two people at each company, and none at `empty.example`. */
const listing = () =>
  open({
    fetch: async (request) => {
      const { companies } = parseBody<AccountsRequest>(request);
      const accounts = companies.map((company) =>
        company === 'empty.example'
          ? { company, total: 0, problem: 'not_found', rows: [] }
          : {
              company,
              total: 9,
              rows: [
                ['Ada', 'Engineer'],
                ['Bo', 'Baker'],
              ],
            },
      );
      const columns = ['full_name', 'job_title'].map((name) => ({ name, type: 'text' }));
      return answer(200, { columns, accounts, credits, stamp: 'one' });
    },
  });

describe.each([
  ['CDAPI_PEOPLE', 'people'],
  ['CDAPI_JOBS', 'jobs'],
])('%s', (formula, list) => {
  it('shows the rows of each company beside its name, or why there are none', async () => {
    const sheet = await listing();
    const companies = toColumn(['acme.example', '', '#PENDING', 'empty.example', 'acme.example']);
    expect(getCells(await sheet.evaluate(formula, companies, 'title:chief', '', 2))).toEqual([
      ['company', 'full_name', 'job_title'],
      ['acme.example', 'Ada', 'Engineer'],
      ['acme.example', 'Bo', 'Baker'],
      ['empty.example', '#NOT_FOUND', ''],
    ]);
    expect(sheet.requests[0]?.url).toMatch(new RegExp(`/sheets/v1/accounts/${list}$`));
    expect(parseBody<AccountsRequest>(sheet.requests[0] ?? fail())).toMatchObject({
      companies: ['acme.example', 'empty.example'],
      text: 'title:chief',
      per_company: 2,
    });
  });

  it('sends the domain of an e-mail address, and no private address', async () => {
    const sheet = await listing();
    const cells = getCells(await sheet.evaluate(formula, toColumn(['ada@acme.example', 'ada@gmail.com'])));
    expect(cells.at(-1)).toEqual(['ada@gmail.com', '#INVALID_KEY', '']);
    expect(sheet.requests.map((request) => parseBody<AccountsRequest>(request).companies)).toEqual([
      ['acme.example'],
    ]);
  });

  it('lists everybody without a query, and calls nobody the second time', async () => {
    const sheet = await listing();
    await sheet.evaluate(formula, 'acme.example');
    await sheet.evaluate(formula, 'acme.example');
    expect(sheet.requests.map((request) => parseBody(request))).toMatchObject([
      { companies: ['acme.example'], es_dsl: { query: { match_all: {} } }, per_company: 5 },
    ]);
  });

  it('says that max_credits is too low', async () => {
    const sheet = await open({
      fetch: async () => answer(409, { code: 'price_changed', detail: '', fix: '' }),
    });
    expect(await sheet.evaluate(formula, 'acme.example', '', '', 2, 'max_credits=5')).toMatchObject({
      error: expect.stringMatching(/^These rows cost more than max_credits: /),
    });
  });

  it('splits many companies into calls of at most 200', async () => {
    const sheet = await listing();
    const companies = Array.from({ length: 450 }, (_, at) => `company-${at}.example`);
    const cells = getCells(await sheet.evaluate(formula, toColumn(companies)));
    expect(cells).toHaveLength(1 + 2 * companies.length);
    const lists = sheet.requests.filter(({ method }) => method === 'POST');
    expect(lists.map((request) => parseBody<AccountsRequest>(request).companies.length)).toEqual([
      200, 200, 50,
    ]);
  });

  it.each([
    ['no companies', ['']],
    ['a loading company', ['Loading...']],
    ['a limit of 1,000', ['acme.example', '', '', 1000]],
    ['an unknown option', ['acme.example', '', '', '', 'header']],
  ])('refuses %s without a call', async (_, args) => {
    const sheet = await listing();
    expect(await sheet.evaluate(formula, ...args)).toMatchObject({ error: expect.any(String) });
    expect(sheet.requests).toEqual([]);
  });
});

/** A gateway that counts three at each company, and is late with `late.example`. */
const counting = () =>
  open({
    fetch: async (request) => {
      const { companies } = parseBody<AccountCountsRequest>(request);
      const accounts = companies.map((company) =>
        company === 'late.example' ? { company, total: 0, problem: 'pending' } : { company, total: 3 },
      );
      return answer(200, { accounts, stamp: 'one' });
    },
  });

describe.each([
  ['CDAPI_PEOPLE_COUNT', 'people'],
  ['CDAPI_JOBS_COUNT', 'jobs'],
])('%s', (formula, list) => {
  it('shows a number beside each company, in one call for 1,000', async () => {
    const sheet = await counting();
    const companies = Array.from({ length: 1000 }, (_, at) => `company-${at}.example`);
    const cells = getCells(await sheet.evaluate(formula, toColumn(companies), 'title:sales'));
    expect(cells).toEqual(companies.map(() => [3]));
    expect(sheet.requests).toHaveLength(1);
    expect(sheet.requests[0]?.url).toMatch(new RegExp(`/sheets/v1/accounts/${list}/counts$`));
    // The second time, nobody is asked.
    await sheet.evaluate(formula, toColumn(companies), 'title:sales');
    expect(sheet.requests).toHaveLength(1);
  });

  it('stays beside its company, whatever the other cells are', async () => {
    const sheet = await counting();
    const column = toColumn(['ada@acme.example', '', 'ada@gmail.com', '#NOT_FOUND', 'acme.example']);
    expect(getCells(await sheet.evaluate(formula, column))).toEqual([
      [3],
      [''],
      ['#INVALID_KEY'],
      ['#NOT_FOUND'],
      [3],
    ]);
    expect(parseBody<AccountCountsRequest>(sheet.requests[0] ?? fail()).companies).toEqual(['acme.example']);
  });

  it('is pending if the gateway is late, and asks again', async () => {
    const sheet = await counting();
    for (const _ of [1, 2]) {
      const cells = getCells(await sheet.evaluate(formula, toColumn(['acme.example', 'late.example'])));
      expect(cells).toEqual([[3], ['#PENDING']]);
    }
    expect(sheet.requests).toHaveLength(2);
  });
});

/** Fails the test: a request is missing. */
function fail(): never {
  throw new Error('nothing was requested');
}
