// =CDAPI_ENRICH as the built add-on answers it, in the strict host, from a running Worker.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { Exception } from '../../addon/host/kernel.ts';
import type { Argument, HostOptions } from '../../addon/host/types.ts';
import { connectionProperty } from '../../shared/connection.ts';
import { addonDist } from '../../worker/commands/paths.ts';
import { answer, network, openSpreadsheet, type Spreadsheet } from './spreadsheet.ts';

const session = inject('session');
let websites: string[] = [];
let opened: Spreadsheet[] = [];

beforeAll(async () => {
  const response = await fetch(`${session.url}/playground/session`);
  websites = ((await response.json()) as { examples: string[] }).examples;
});
afterEach(() => {
  for (const { host } of opened) host.close();
  opened = [];
});

async function open(options?: Partial<HostOptions>): Promise<Spreadsheet> {
  const spreadsheet = await openSpreadsheet(options);
  opened.push(spreadsheet);
  return spreadsheet;
}

/** An empty workbook whose clocks are those of a zone. */
const workbookIn = (timeZone: string) => ({
  id: 'workbook',
  name: 'Workbook',
  timeZone,
  sheets: [{ id: 1, name: 'Sheet1', values: [] }],
});
const column = (cells: readonly (string | number | boolean | Date)[]): Argument =>
  cells.map((cell) => [cell]);
const enrich = (sheet: Spreadsheet, ...args: Argument[]) => sheet.formula('CDAPI_ENRICH', ...args);

describe('a range of websites', () => {
  it('gives a row for each, in one call, failures in their own row and blanks blank', async () => {
    const sheet = await open();
    const [one = '', two = ''] = websites;
    const cells = [one, '', `https://www.${two.toUpperCase()}/about`, 'nobody.example', 'not a website', one];
    const result = await enrich(sheet, column(cells), 'id, websites_main');
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
    expect(sheet.sent).toHaveLength(1);
    expect(JSON.parse(new TextDecoder().decode(sheet.sent[0]?.body ?? undefined)).keys).toEqual([
      one,
      two,
      'nobody.example',
    ]);
  });

  it('of 1,000 rows is one call, of 5,000 rows five', async () => {
    const sheet = await open({
      fetch: async (request) => {
        const { keys } = JSON.parse(new TextDecoder().decode(request.body ?? undefined)) as {
          keys: string[];
        };
        const rows = keys.map((key) => ({ key, status: 'hit', record: { name: key }, credits: 0 }));
        return answer(200, { rows, credits: { spent: 0, saved: 0, remaining: null } });
      },
    });
    const cells = (count: number) => column(Array.from({ length: count }, (_, at) => `shop${at}.example`));
    await enrich(sheet, cells(1000), 'name');
    expect(sheet.host.usage.urlFetch).toBe(1);
    const result = await enrich(sheet, cells(5000), 'name');
    expect(sheet.host.usage.urlFetch).toBe(6);
    expect(result).toMatchObject({ values: { length: 5000 } });
    expect('values' in result && result.values[4999]).toEqual(['shop4999.example']);
  });

  it('that is all blank asks nobody', async () => {
    const sheet = await open();
    expect(await enrich(sheet, column(['', ' ']), 'name')).toEqual({ values: [[''], ['']] });
    expect(sheet.sent).toEqual([]);
  });

  it('of cells that are no websites is #INVALID_KEY in each row, and nobody is asked', async () => {
    const sheet = await open();
    const cells = [
      42,
      3.14,
      true,
      new Date(0),
      'a sentence of words',
      'sales@a.com',
      'javascript:alert(1)',
      'x'.repeat(10_000),
      '#REF!',
    ];
    expect(await enrich(sheet, column(cells), 'name, id')).toEqual({
      values: cells.map(() => ['#INVALID_KEY', '']),
    });
    expect(sheet.sent).toEqual([]);
  });

  it('of 26 columns is #INVALID_KEY in the rows that hold anything', async () => {
    const sheet = await open();
    const blank = Array.from({ length: 26 }, () => '');
    const wide = [blank.with(0, websites[0] ?? ''), blank, blank.with(25, 'x')];
    expect(await enrich(sheet, wide, 'name')).toEqual({ values: [['#INVALID_KEY'], [''], ['#INVALID_KEY']] });
    expect(sheet.sent).toEqual([]);
  });
});

describe('a single website', () => {
  it('gives one value for one field, and a row for several', async () => {
    const sheet = await open();
    const [website = ''] = websites;
    const single = await enrich(sheet, website, 'name');
    expect(single).toEqual({ values: [[expect.stringMatching(/./)]] });
    expect(await enrich(sheet, website, 'name, id')).toMatchObject({ values: [{ length: 2 }] });
    expect(await enrich(sheet, 'nobody.example', 'name')).toEqual({ values: [['#NOT_FOUND']] });
  });

  it('without fields gives the short default, with a heading where asked', async () => {
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

  it('takes fields from a range', async () => {
    const sheet = await open();
    expect(await enrich(sheet, websites[0], [['id', 'name', '']])).toEqual({
      values: [[expect.any(Number), expect.any(String)]],
    });
  });
});

describe('what a record holds', () => {
  it('becomes cells: numbers, dates, lists, blanks, long texts, and nothing that runs', async () => {
    const record = {
      founded: '1999',
      followers: 12,
      flag: false,
      created_at: '2024-02-29',
      last_updated: '2024-02-29 13:14:15',
      not_a_day: '2024-02-30',
      not_a_time: '2024-02-29 10:99:00',
      not_an_hour: '2024-02-29 24:00:00',
      long_ago: '0050-01-01',
      before_sheets: '1899-12-31',
      far_off: '9999-12-31 23:59:59',
      clocks_back: '2024-11-03 12:00:00',
      day_before: '2024-11-02 12:00:00',
      specialities: ['a', null, 'b'],
      funding_rounds: [{ type: 'Seed' }, { type: 'Series A' }],
      nothing: null,
      formula: '=1+1',
      post: '7123456789012345678',
      long: 'x'.repeat(60_000),
    };
    const sheet = await open({
      workbook: workbookIn('America/New_York'),
      fetch: async () =>
        answer(200, { rows: [{ key: 'a.com', status: 'hit', record, credits: 0 }], credits: {} }),
    });
    const fields =
      'founded,followers,flag,created_at,last_updated,not_a_day,not_a_time,not_an_hour,long_ago,before_sheets,far_off,clocks_back,day_before,specialities,funding_rounds[1].type,funding_rounds.type,nothing,absent,formula,post,long';
    const result = await enrich(sheet, 'a.com', fields);
    expect(result).toEqual({
      values: [
        [
          '1999',
          12,
          false,
          new Date('2024-02-29T05:00:00Z'),
          new Date('2024-02-29T18:14:15Z'),
          '2024-02-30',
          '2024-02-29 10:99:00',
          '2024-02-29 24:00:00',
          '0050-01-01',
          '1899-12-31',
          new Date('+010000-01-01T04:59:59Z'),
          new Date('2024-11-03T17:00:00Z'),
          new Date('2024-11-02T16:00:00Z'),
          'a; b',
          'Series A',
          'Seed; Series A',
          '',
          '',
          '=1+1',
          '7123456789012345678',
          'x'.repeat(50_000),
        ],
      ],
    });
  });
});

describe('dates', () => {
  const dated = (days: readonly string[], timeZone: string, options: Partial<HostOptions> = {}) =>
    open({
      ...options,
      workbook: workbookIn(timeZone),
      fetch: async (request) => {
        const { keys } = JSON.parse(new TextDecoder().decode(request.body ?? undefined)) as {
          keys: string[];
        };
        const rows = keys.map((key, at) => ({ key, status: 'hit', record: { day: days[at] }, credits: 0 }));
        return answer(200, { rows, credits: {} });
      },
    });

  it.each(['Pacific/Honolulu', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Kiritimati'])(
    'show in a spreadsheet of %s as the record has them, whatever the zone of script and machine',
    async (timeZone) => {
      const days = [
        '2024-02-29',
        '2024-07-01 00:30:00',
        '1969-12-31 23:59:59',
        '2024-11-03',
        '2000-01-01 23:00:00',
      ];
      const sheet = await dated(days, timeZone);
      const result = await enrich(sheet, column(days.map((_, at) => `s${at}.example`)), 'day');
      const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
      const shown =
        'values' in result ? result.values.map(([cell]) => cell instanceof Date && clock.format(cell)) : [];
      expect(shown).toEqual(days.map((day) => (day.length === 10 ? `${day} 00:00:00` : day)));
    },
  );

  it('of 1,000 rows on ten days, none at the same second, ask the service for eleven midnights', async () => {
    const first = Date.UTC(2023, 0, 1);
    const days = Array.from({ length: 1000 }, (_, at) =>
      new Date(first + at * 864_000).toISOString().slice(0, 19).replace('T', ' '),
    );
    const asked: string[] = [];
    const watched = `const { parseDate } = Utilities;
      Utilities = { parseDate: (...args) => (console.log(args[0]), parseDate(...args)) };`;
    const sheet = await dated(days, 'America/New_York', {
      code: `${await readFile(join(addonDist, 'Code.js'), 'utf8')}\n${watched}`,
      onLog: ({ text }) => asked.push(text),
    });
    const result = await enrich(sheet, column(days.map((_, at) => `s${at}.example`)), 'day');
    expect('values' in result && result.values.map(([cell]) => cell)).toEqual(
      days.map((day) => new Date(`${day.replace(' ', 'T')}-05:00`)),
    );
    expect(asked.toSorted()).toEqual(
      Array.from({ length: 11 }, (_, at) => `2023-01-${String(at + 1).padStart(2, '0')}`),
    );
  });
});

describe('a call that fails whole says in one sentence what to do', () => {
  it.each<[string, Partial<HostOptions>, RegExp]>([
    ['not connected', { properties: { document: {} } }, /^Not connected: open CDAPI → Connect\.$/],
    ['without document properties', { documentInFormulas: false }, /^Not connected/],
    [
      'a broken connection property',
      { properties: { document: { [connectionProperty]: '{"url":1}' } } },
      /^Not connected/,
    ],
    [
      'a connection property that is no JSON',
      { properties: { document: { [connectionProperty]: '{' } } },
      /^Not connected/,
    ],
    [
      'no permission',
      { manifest: { oauthScopes: ['https://www.googleapis.com/auth/spreadsheets.currentonly'] } },
      /^Specified permissions are not sufficient to call UrlFetchApp\.fetchAll\./,
    ],
    [
      'an address that the add-on may not reach',
      { manifest: { urlFetchWhitelist: ['https://data.acme.example/'] } },
      /has not been whitelisted/,
    ],
    [
      'a used-up day',
      { fetch: () => Promise.reject(new Exception('Service invoked too many times for one day: urlfetch.')) },
      /^Google’s limit of calls for today is reached\. Try again tomorrow\.$/,
    ],
    [
      'a used-up bandwidth',
      { fetch: () => Promise.reject(new Exception('Bandwidth quota exceeded: http://x. Try again.')) },
      /^Bandwidth quota exceeded/,
    ],
    [
      'no network',
      { fetch: () => Promise.reject(new Error('down')) },
      /can't be reached\. Check the connection/,
    ],
    [
      'an answer that is no JSON',
      { fetch: async () => answer(200, '<html>') },
      /could not be read\. Try again/,
    ],
    ['a proxy’s error page', { fetch: async () => answer(502, '<html>') }, /could not be read/],
    ['a rate limit', { fetch: async () => answer(429, { code: 'rate_limited' }) }, /Wait a few seconds/],
  ])('%s', async (_, options, sentence) => {
    const sheet = await open(options);
    expect(await enrich(sheet, 'a.com', 'name')).toMatchObject({ error: expect.stringMatching(sentence) });
  });

  it('a token that the gateway does not know', async () => {
    const sheet = await open({
      properties: {
        document: { [connectionProperty]: JSON.stringify({ url: session.url, token: 'cds_wrong' }) },
      },
    });
    const result = await enrich(sheet, 'a.com', 'name');
    expect(result).toMatchObject({ error: expect.stringContaining('new connection link') });
    expect(JSON.stringify(result)).not.toContain('cds_wrong');
  });

  it.each([
    ['a field that is no path', ['a.com', 'na me['], /"na me\[" is not a field/],
    ['a whole record', ['a.com', '*'], /"\*" is not a field/],
    ['a path with a star', ['a.com', 'name, updates.*'], /"updates\.\*" is not a field/],
    ['a path of 201 characters', ['a.com', 'x'.repeat(201)], /"x{40}" is not a field/],
    ['101 fields', ['a.com', 'name,'.repeat(101)], /^Name at most 100 fields\.$/],
    ['an option that nobody knows', ['a.com', 'name', 'heading'], /"heading" is not an option/],
    ['nothing at all', [], /^There is nothing to look up: name a cell/],
    ['no website', [undefined, 'name'], /^There is nothing to look up: name a cell/],
  ] as const)('%s', async (_, args, sentence) => {
    const sheet = await open();
    expect(await enrich(sheet, ...args)).toMatchObject({ error: expect.stringMatching(sentence) });
    expect(sheet.sent).toEqual([]);
  });

  it('but where one of several calls fails, the other rows are unharmed', async () => {
    let calls = 0;
    const sheet = await open({
      fetch: async (request) => {
        calls += 1;
        if (calls === 2) return answer(429, { code: 'rate_limited', detail: 'x', fix: 'y' });
        const { keys } = JSON.parse(new TextDecoder().decode(request.body ?? undefined)) as {
          keys: string[];
        };
        return answer(200, {
          rows: keys.map((key) => ({ key, status: 'hit', record: { name: key }, credits: 0 })),
          credits: {},
        });
      },
    });
    const result = await enrich(
      sheet,
      column(Array.from({ length: 2001 }, (_, at) => `s${at}.example`)),
      'name',
    );
    const words = 'values' in result ? result.values.flat() : [];
    expect(words.filter((word) => word === '#RATE_LIMIT')).toHaveLength(1000);
    expect(words.filter((word) => String(word).endsWith('.example'))).toHaveLength(1001);
  });
});

describe('the built file', () => {
  it('holds real top-level functions with the help that Sheets shows', async () => {
    const { host } = await open();
    expect(host.functions.map(({ name }) => name).toSorted()).toEqual([
      'CDAPI_ENRICH',
      'connect',
      'onInstall',
      'onOpen',
    ]);
    const formula = host.functions.find(({ name }) => name === 'CDAPI_ENRICH');
    expect(formula).toMatchObject({ custom: true, returns: expect.stringContaining('row') });
    expect(formula?.params.map(({ name, optional }) => [name, optional])).toEqual([
      ['website', false],
      ['fields', true],
      ['options', true],
    ]);
    for (const { type, description } of formula?.params ?? []) {
      expect(type).not.toBe('');
      expect(description).toMatch(/Example: /);
    }
  });

  it('is at most 60 KB, and asks for no wider scopes than it needs', async () => {
    const code = await readFile(join(addonDist, 'Code.js'));
    expect(code.byteLength).toBeLessThanOrEqual(60_000);
    const manifest = JSON.parse(await readFile(join(addonDist, 'appsscript.json'), 'utf8'));
    expect(manifest.oauthScopes.map((scope: string) => scope.split('/').at(-1))).toEqual([
      'spreadsheets.currentonly',
      'script.external_request',
      'script.container.ui',
    ]);
  });
});

describe('connecting', () => {
  it('is offered by the menu, tries the link and keeps it for the spreadsheet', async () => {
    const shown: string[] = [];
    const link = `${session.url}/connect#${session.team_token}`;
    const sheet = await open({
      properties: { document: {} },
      onUi: (request) => {
        if (request.kind === 'alert') shown.push(request.prompt);
        return { button: 'OK', text: link };
      },
    });
    await sheet.host.run('onOpen', [], 'open', { authMode: 'NONE' });
    expect(sheet.host.menus).toMatchObject([{ items: [{ caption: 'Connect', functionName: 'connect' }] }]);
    await sheet.host.run('connect', [], 'menu');
    expect(shown).toEqual([
      expect.stringMatching(/^Connected\. .*=CDAPI_ENRICH\(A2\).* costs 10 credits\.$/),
    ]);
    expect(await enrich(sheet, websites[0], 'name')).toEqual({ values: [[expect.stringMatching(/^[^#]/)]] });
    expect(sheet.sent.every(({ url }) => !url.includes(session.team_token))).toBe(true);
  });

  it.each([
    ['no link', 'hello', /not a connection link/],
    ['a cut link', `${session.url}/connect#${session.team_token.slice(0, -2)}`, /not a connection link/],
    [
      'a link to a stranger',
      `http://data.acme.example/connect#${session.team_token}`,
      /not a connection link/,
    ],
    ['a link of nobody', `http://127.0.0.1:1/connect#${session.team_token}`, /can't be reached/],
  ])('with %s says so and keeps nothing', async (_, text, sentence) => {
    const shown: string[] = [];
    const sheet = await open({
      properties: { document: {} },
      fetch: network,
      onUi: (request) => {
        if (request.kind === 'alert') shown.push(request.prompt);
        return { button: 'OK', text };
      },
    });
    await sheet.host.run('connect', [], 'menu');
    expect(shown).toEqual([expect.stringMatching(sentence)]);
    expect(shown.join()).not.toContain(session.team_token);
    expect(sheet.host.properties.document).toEqual({});
  });

  it('where there is no document says where to do it', async () => {
    const shown: string[] = [];
    const link = `${session.url}/connect#${session.team_token}`;
    const sheet = await open({
      properties: { document: null },
      onUi: (request) => {
        if (request.kind === 'alert') shown.push(request.prompt);
        return { button: 'OK', text: link };
      },
    });
    await sheet.host.run('connect', [], 'menu');
    expect(shown).toEqual([
      expect.stringMatching(/^The connection can’t be kept here\. Open the spreadsheet itself/),
    ]);
  });
});
