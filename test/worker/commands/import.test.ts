// Imports CSV and JSON Lines files into a running instance.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Family } from '../../../shared/families/index.ts';
import { importFile } from '../../../worker/commands/import/load.ts';
import type { Heading } from '../../../worker/sandbox/import/company-records.ts';

const HEADINGS =
  'id,name,slug,website,headline,description,industry,sub_industry,tags,team_size,locations,regions,status,launched_at';
const session = inject('session');

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cdapi-import-'));
});
afterAll(() => rm(dir, { recursive: true }));

let files = 0;
async function load(
  text: string | Uint8Array,
  options: { kind?: string; family?: Family; map?: Map<string, Heading> } = {},
) {
  files += 1;
  const { kind = 'csv', ...rest } = options;
  const file = join(dir, `${files}.${kind}`);
  await writeFile(file, text);
  const lines: string[] = [];
  const report = await importFile(session, { file, log: (line) => lines.push(line), ...rest });
  return { report, lines };
}

async function provider(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${session.url}/provider/cdapi/v2${path}`, {
    headers: { apikey: session.provider_key },
  });
  return response.json() as Promise<Record<string, unknown>>;
}

describe('a CSV file of companies', () => {
  const row =
    '9000001,"Café ""Nord""",cafe-nord,https://www.cafe-nord.example/,We roast,"Two\nlines, with commas",Consumer,Food,Coffee; Retail,58,"Paris, Île-de-France, France; Remote; Oslo, Norway",Europe; Remote,Active,2011-11-23 10:52:03';

  it('creates a clean and a base company per row', async () => {
    const { report } = await load(`\ufeff${HEADINGS}\r\n${row}\r\n`);
    expect(Object.fromEntries(report.counts)).toEqual({
      company_clean: { added: 1, changed: 0, unchanged: 0 },
      company_base: { added: 1, changed: 0, unchanged: 0 },
    });
    expect(report.refused).toEqual([]);
    expect(await provider('/company_clean/enrich?website=cafe-nord.example')).toMatchObject({
      id: 9000001,
      name: 'Café "Nord"',
      websites_main: 'https://www.cafe-nord.example/',
      enriched_summary: 'We roast',
      description: 'Two\nlines, with commas',
      industry: 'Consumer',
      enriched_category: 'Food',
      specialities: ['Coffee', 'Retail'],
      technologies: [{ technology: 'Coffee' }, { technology: 'Retail' }],
      size_employees_count: 58,
      size_range: '51-200 employees',
      location_hq_city: 'Paris',
      location_hq_state: 'Île-de-France',
      location_hq_country: 'France',
      location_hq_country_iso_2: 'FR',
      location_hq_country_iso_3: 'FRA',
      location_hq_regions: ['Europe', 'Remote'],
      locations_full: [
        { city: 'Paris', country_iso_2: 'FR', is_primary: true },
        { city: 'Oslo', country_iso_3: 'NOR', is_primary: false },
      ],
      created_at: '2011-11-23',
      last_updated: '2011-11-23',
      founded: '2011',
    });
    expect(await provider('/company_base/collect/cafe-nord')).toMatchObject({
      id: 9000001,
      website: 'https://www.cafe-nord.example/',
      size: '51-200 employees',
      employees_count: 58,
      founded: 2011,
      headquarters_city: 'Paris',
      headquarters_country_parsed: 'France',
      created: '2011-11-23 10:52:03',
      company_shorthand_name: 'cafe-nord',
      company_specialties_collection: [
        { id: 1, specialty: 'Coffee' },
        { id: 2, specialty: 'Retail' },
      ],
    });
  });

  it('reports malformed rows with line and reason, and imports the others', async () => {
    const text = [
      HEADINGS,
      '9000010,Good,good-10,good10.example,,,,,,5,,,,2020-01-01',
      '9000011,Short,short',
      ',No id,noid,noid.example,,,,,,5,,,,2020-01-01',
      'abc,Bad id,badid,badid.example,,,,,,5,,,,2020-01-01',
      '9000012,,noname,noname.example,,,,,,5,,,,2020-01-01',
      '9000013,Bad size,badsize,badsize.example,,,,,,many,,,,2020-01-01',
      '9000014,Bad date,baddate,baddate.example,,,,,,5,,,,2020-02-31',
      '9000015,"Bad" quote,badquote,badquote.example,,,,,,5,,,,2020-01-01',
      '9000010,Twice,twice,twice.example,,,,,,5,,,,2020-01-01',
      '9000016,"Two',
      'lines",two-lines,twolines.example,,,,,,,,,,',
      '9000017,Last,last,last.example,,,,,,7,,,,2020-01-01',
    ].join('\n');
    const { report } = await load(text);
    expect(report.counts.get('company_clean')).toEqual({ added: 4, changed: 0, unchanged: 0 });
    expect(report.counts.get('company_base')).toEqual({ added: 4, changed: 0, unchanged: 0 });
    expect(report.refused.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8, 10]);
    expect(report.refused.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('columns'),
      expect.stringContaining('id'),
      expect.stringContaining('"abc"'),
      expect.stringContaining('name'),
      expect.stringContaining('"many"'),
      expect.stringContaining('2020-02-31'),
      expect.stringContaining('line 2'),
    ]);
  });

  it('imports the rows before an unclosed quote', async () => {
    const { report } = await load(
      `${HEADINGS}\n9000020,A,a20,a20.example,,,,,,,,,,\n9000021,"open,b,c\nx\n`,
      {
        family: 'company_clean',
      },
    );
    expect(report.counts.get('company_clean')?.added).toBe(1);
    expect(report.refused).toEqual([{ line: 3, reason: expect.stringContaining('never closed') }]);
  });

  it('reports websites that several records share', async () => {
    const text = `${HEADINGS}\n9000030,A,a30,https://dup30.example,,,,,,,,,,\n9000031,B,b31,www.DUP30.example/x,,,,,,,,,,`;
    const { report } = await load(text, { family: 'company_clean' });
    expect(report.shared.get('company_clean')).toEqual(new Map([['dup30.example', ['9000030', '9000031']]]));
  });

  it('maps custom headings and lists ignored ones', async () => {
    const { report, lines } = await load('Nr,Firma,Web,Laune\n9000040,Vierzig,vierzig.example,gut', {
      map: new Map([
        ['Nr', 'id'],
        ['Firma', 'name'],
        ['Web', 'website'],
      ]),
    });
    expect(report.counts.get('company_base')?.added).toBe(1);
    expect(lines).toContain('Ignored headings: Laune');
  });

  it.each([
    [
      'the same heading',
      'id,name,Name\n9000048,A,B',
      new Map<string, Heading>(),
      /for "name": "name", "Name"/,
    ],
    [
      'a map',
      'id,name,Firma\n9000048,A,B',
      new Map([['Firma', 'name' as const]]),
      /for "name": "name", "Firma"/,
    ],
  ])('rejects two columns for the same heading: %s', async (_, text, map, sentence) => {
    await expect(load(text, { map })).rejects.toThrow(sentence);
  });

  it.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('accepts %s as separators', async (_, separator) => {
    const rows = [
      ['id', 'name', '"tags"', '"note, with, commas"'],
      ['9000049', 'Käse, fein', '"Food; Retail"', ''],
    ];
    const { report } = await load(rows.map((cells) => cells.join(separator)).join('\r\n'));
    expect(report.refused).toEqual([]);
    expect(await provider('/company_clean/collect/9000049')).toMatchObject({
      name: 'Käse, fein',
      specialities: ['Food', 'Retail'],
    });
  });

  it.each([
    ['csv', ''],
    ['csv', `${HEADINGS}\n`],
    ['jsonl', '\n\n'],
  ])('without records (.%s) is rejected', async (kind, text) => {
    await expect(load(text, { kind, family: 'company_clean' })).rejects.toThrow(/ contains no records\.$/);
  });

  it('that is not UTF-8 is rejected with the first invalid line, before anything is imported', async () => {
    const text = 'id,name\n9000056,Plain\n9000057,Café\n9000058,Naïve';
    await expect(load(Buffer.from(text, 'latin1'))).rejects.toThrow('is not UTF-8 (line 3)');
    await expect(provider('/company_base/collect/9000056')).resolves.not.toHaveProperty('name');
  });

  it('without an id heading is rejected with advice', async () => {
    await expect(load('name\nA')).rejects.toThrow(/no heading "id".*--map/);
  });
});

describe('a JSON Lines file', () => {
  it('is imported line by line', async () => {
    const text =
      '{"id":9000050,"name":"As is","odd":{"deep":[1]},"websites_main":"asis.example"}\n\n{broken\n[1]\n{"name":"no id"}\n{"name":"nor this"}\n{"id":"9000050"}\n';
    const { report } = await load(text, { kind: 'jsonl', family: 'company_clean' });
    expect(report.counts.get('company_clean')?.added).toBe(1);
    expect(report.refused).toEqual([
      { line: 3, reason: 'it is not JSON' },
      { line: 4, reason: 'it is not an object' },
      { line: 5, reason: expect.stringContaining('no id') },
      { line: 6, reason: expect.stringContaining('no id') },
      { line: 7, reason: 'its id is already in line 1' },
    ]);
    expect(await provider('/company_clean/enrich?website=asis.example')).toMatchObject({
      odd: { deep: [1] },
    });
  });

  it('keeps ids beyond 2^53 apart: they are accepted as text and never rounded', async () => {
    const ids = [
      '9007199254740993',
      '"9007199254740993"',
      '"9007199254740992"',
      '"9223372036854775808"',
      '1.5',
      '0',
    ];
    const { report } = await load(
      ids.map((id) => `{"id":${id},"name":"${id.replaceAll('"', '')}"}`).join('\n'),
      {
        kind: 'jsonl',
        family: 'company_clean',
      },
    );
    expect(report.counts.get('company_clean')?.added).toBe(2);
    expect(report.refused).toEqual([
      { line: 1, reason: expect.stringContaining('write it as text') },
      ...[4, 5, 6].map((line) => ({ line, reason: expect.stringContaining('no id') })),
    ]);
    expect(await provider('/company_clean/collect/9007199254740993')).toMatchObject({
      name: '9007199254740993',
    });
  });

  it('is split only at line ends', async () => {
    const text = `\ufeff{"id":9000059,"name":"One\u2028two"}\r\n{"id":9000060,"name":"${'x'.repeat(2_000_000)}"}\n{"id":9000061}`;
    const { report } = await load(text, { kind: 'jsonl', family: 'company_clean' });
    expect(report.refused).toEqual([{ line: 2, reason: expect.stringContaining('longer than') }]);
    expect(report.counts.get('company_clean')?.added).toBe(2);
    expect(await provider('/company_clean/collect/9000059')).toMatchObject({ name: 'One\u2028two' });
  });
});
