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
  { kind = 'csv', ...options }: { kind?: string; family?: Family; map?: Map<string, Heading> } = {},
) {
  files += 1;
  const file = join(dir, `${files}.${kind}`);
  await writeFile(file, text);
  const log: string[] = [];
  return { report: await importFile(session, { file, log: (line) => log.push(line), ...options }), log };
}

/** Calls the instance's sandbox. */
async function fetchRecord(path: string): Promise<unknown> {
  const response = await fetch(`${session.url}/provider/cdapi/v2${path}`, {
    headers: { apikey: session.provider_key },
  });
  return response.json();
}

describe('a CSV file of companies', () => {
  it('creates a clean and a base company per row', async () => {
    const row =
      '9000001,"Café ""Nord""",cafe-nord,https://www.cafe-nord.example/,We roast,"Two\nlines, with commas",Consumer,Food,Coffee; Retail,58,"Paris, Île-de-France, France; Remote; Oslo, Norway",Europe; Remote,Active,2011-11-23 10:52:03';
    const { report } = await load(`\ufeff${HEADINGS}\r\n${row}\r\n`);
    const added = { added: 1, changed: 0, unchanged: 0 };
    expect(Object.fromEntries(report.counts)).toEqual({ company_clean: added, company_base: added });
    expect(report.refused).toEqual([]);
    expect(await fetchRecord('/company_clean/enrich?website=cafe-nord.example')).toMatchObject({
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
      location_hq_country_iso_3: 'FRA',
      location_hq_regions: ['Europe', 'Remote'],
      locations_full: [
        { city: 'Paris', country_iso_2: 'FR', is_primary: true },
        { city: 'Oslo', country_iso_3: 'NOR', is_primary: false },
      ],
      created_at: '2011-11-23',
      founded: '2011',
    });
    expect(await fetchRecord('/company_base/collect/cafe-nord')).toMatchObject({
      id: 9000001,
      website: 'https://www.cafe-nord.example/',
      size: '51-200 employees',
      employees_count: 58,
      founded: 2011,
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
    const { report } = await load(
      [
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
        '9000018,"open,b,c',
      ].join('\n'),
    );
    const added = { added: 4, changed: 0, unchanged: 0 };
    expect(Object.fromEntries(report.counts)).toEqual({ company_clean: added, company_base: added });
    const reasons = [
      [3, 'columns'],
      [4, 'id'],
      [5, '"abc"'],
      [6, 'name'],
      [7, '"many"'],
      [8, '2020-02-31'],
      [10, 'line 2'],
      [14, 'never closed'],
    ] as const;
    expect(report.refused).toEqual(
      reasons.map(([line, reason]) => ({ line, reason: expect.stringContaining(reason) })),
    );
  });

  it('reports websites that several records share', async () => {
    const text = `${HEADINGS}\n9000030,A,a30,https://dup30.example,,,,,,,,,,\n9000031,B,b31,www.DUP30.example/x,,,,,,,,,,`;
    const { report } = await load(text, { family: 'company_clean' });
    expect(report.shared.get('company_clean')).toEqual(new Map([['dup30.example', ['9000030', '9000031']]]));
  });

  it('maps custom headings and lists ignored ones', async () => {
    const map = new Map<string, Heading>([
      ['Nr', 'id'],
      ['Firma', 'name'],
      ['Web', 'website'],
    ]);
    const { report } = await load('Nr,Firma,Web,Laune\n9000040,Vierzig,vierzig.example,gut', { map });
    expect(report.counts.get('company_base')?.added).toBe(1);
    expect(report.head).toMatchObject({
      used: [
        { text: 'Nr', heading: 'id' },
        { text: 'Firma', heading: 'name' },
        { text: 'Web', heading: 'website' },
      ],
      ignored: ['Laune'],
    });
  });

  it.each([';', '\t'])('accepts %j as separator', async (separator) => {
    const rows = [
      ['id', 'name', '"tags"', '"note, with, commas"'],
      ['9000049', 'Käse, fein', '"Food; Retail"', ''],
    ];
    const { report } = await load(rows.map((cells) => cells.join(separator)).join('\r\n'));
    expect(report.refused).toEqual([]);
    expect(await fetchRecord('/company_clean/collect/9000049')).toMatchObject({
      name: 'Käse, fein',
      specialities: ['Food', 'Retail'],
    });
  });

  it.each<[string, string, string, string[]]>([
    [
      'commas in a heading outnumber the separators',
      'id;name;description (a, b, c, d)\n9000062;Käse, fein;x\n',
      ';',
      ['id', 'name'],
    ],
    ['a first line names the separator', 'sep=;\r\nid;name,x\r\n9000062;Käse, fein\r\n', ';', ['id']],
    [
      'a first line with a byte order mark and quotes names it',
      '\ufeff"SEP=|"\n\nid|name\n9000062|Käse, fein\n',
      '|',
      ['id', 'name'],
    ],
    ['only the rows tell it', 'id\n9000062\n"9000063"\n', ',', ['id']],
    [
      'two separators yield an id, and one of them consistent rows',
      'id\t;name\n9000062\t;Käse, fein\n9000063\t;b;c\n9000064\t;d\n',
      '\t',
      ['id'],
    ],
  ])('has the separator of its headings if %s', async (_, text, separator, used) => {
    const { report } = await load(text);
    expect(report.head?.separator).toBe(separator);
    expect(report.head?.used.map(({ heading }) => heading)).toEqual(used);
  });

  it('counts lines from the first line of the file, also behind one that names the separator', async () => {
    const { report } = await load('sep=;\n\nid;"na\nme";name\n9000065;x;Good\n9000066;x\nabc;x;Bad id\n');
    expect(report.head?.line).toBe(4);
    expect(report.refused).toEqual([
      { line: 6, reason: expect.stringContaining('columns') },
      { line: 7, reason: expect.stringContaining('"abc"') },
    ]);
  });

  it('that is not UTF-8 is rejected with the first invalid line, before anything is imported', async () => {
    const text = 'id,name\n9000056,Plain\n9000057,Café\n9000058,Naïve';
    await expect(load(Buffer.from(text, 'latin1'))).rejects.toThrow('is not UTF-8 (line 3)');
    expect(await fetchRecord('/company_base/collect/9000056')).not.toHaveProperty('name');
  });
});

it.each([
  ['two equal headings', 'csv', 'id,name,Name\n9000048,A,B', /for "name": "name", "Name"/],
  ['two columns for one heading', 'csv', 'id,name,Firma\n9000048,A,B', /for "name": "name", "Firma"/],
  [
    'no id heading',
    'csv',
    '\nname\u001b[31m,\u202eNr\nA,1',
    /no heading "id"\. Line 2 was read as headings: "name\ufffd\[31m", "\ufffdNr"\. Map .* --map/,
  ],
  [
    'no id heading behind a line that names the separator',
    'csv',
    'sep=;\nname,id\nA,1',
    /Line 2 .*"name,id"/,
  ],
  ['no rows', 'csv', `${HEADINGS}\n`, / contains no records\.$/],
  ['nothing', 'csv', '', / contains no records\.$/],
  ['blank lines', 'jsonl', '\n\n', / contains no records\.$/],
])('rejects a file with %s', async (_, kind, text, message) => {
  const map = new Map([['Firma', 'name' as const]]);
  await expect(load(text, { kind, family: 'company_clean', map })).rejects.toThrow(message);
});

describe('a JSON Lines file', () => {
  const options = { kind: 'jsonl', family: 'company_clean' } as const;

  it('is imported line by line', async () => {
    const text =
      '{"id":9000050,"name":"As is","odd":{"deep":[1]},"websites_main":"asis.example"}\n\n{broken\n[1]\n{"name":"no id"}\n{"id":"9000050"}\n';
    const { report } = await load(text, options);
    expect(report.counts.get('company_clean')?.added).toBe(1);
    expect(report.refused).toEqual([
      { line: 3, reason: 'it is not JSON' },
      { line: 4, reason: 'it is not an object' },
      { line: 5, reason: expect.stringContaining('no id') },
      { line: 6, reason: 'its id is already in line 1' },
    ]);
    expect(await fetchRecord('/company_clean/enrich?website=asis.example')).toMatchObject({
      odd: { deep: [1] },
    });
  });

  it('keeps ids and other integers beyond 2^53 apart: they are never rounded', async () => {
    const large = '9007199254740993';
    const ids = [large, `"${large}"`, '9007199254740992', '"9223372036854775808"', '1.5', '0', `${large}.0`];
    const { report } = await load(
      ids.map((id) => `{"id":${id},"name":"${id.replaceAll('"', '')}"}`).join('\n'),
      options,
    );
    expect(report.counts.get('company_clean')?.added).toBe(2);
    expect(report.refused).toEqual([
      { line: 2, reason: 'its id is already in line 1' },
      ...[4, 5, 6, 7].map((line) => ({ line, reason: expect.stringContaining('no id') })),
    ]);
    expect(await fetchRecord(`/company_clean/collect/${large}`)).toMatchObject({ name: large });
  });

  it('is split only at line ends', async () => {
    const text = `\ufeff{"id":9000059,"name":"One\u2028two"}\r\n{"id":9000060,"name":"${'x'.repeat(2_000_000)}"}\n{"id":9000061}`;
    const { report } = await load(text, options);
    expect(report.refused).toEqual([{ line: 2, reason: expect.stringContaining('longer than') }]);
    expect(report.counts.get('company_clean')?.added).toBe(2);
    expect(await fetchRecord('/company_clean/collect/9000059')).toMatchObject({ name: 'One\u2028two' });
  });
});
