// Cells of a looked-up column that are no key: what they are, where the person reads it, and the next step.
import { describe, expect, it } from 'vitest';
import type { EnrichOrder } from '../../../../addon/server/api/index.ts';
import { createEnrichOrder, createList, runEnrichment } from '../../server/orders.ts';
import { createWorkbook, gateway, openSidebar, type Sidebar } from '../../server/sidebar.ts';
import { describeWorkbook } from '../../server/state.ts';
import { openMatching } from './matching.ts';

const NAME =
  'This is a company name. To look names up, choose “Company names” under “Cells hold” in the sidebar’s tab Enrich.';
const MAIL = 'An address at wp.pl names no company. Use the company’s website.';

/** Returns the notes of the second column, below its heading. */
const readNotes = (sidebar: Sidebar, rows: number): string[] =>
  Array.from({ length: rows }, (_, at) => sidebar.getSheet('Sheet1').notes?.[at + 1]?.[1] ?? '');

const readCells = (sidebar: Sidebar) =>
  sidebar
    .getValues('Sheet1')
    .slice(1)
    .map((row) => row[1]);

const CELLS = [
  'acme.example',
  'E.Ondra',
  'ann@wp.pl',
  'https://network.example/company/acme',
  '4711.0',
  'a, b',
];

describe('cells that are no websites', () => {
  it('cost nothing, and their notes say what they are and what to do', async () => {
    const sidebar = await openSidebar({ workbook: createList(CELLS) });
    const before = describeWorkbook(sidebar.getWorkbook());
    expect(await sidebar.callOk('planEnrich', createEnrichOrder())).toMatchObject({
      ...{ rows: 6, distinct: 1, credits: 10, invalid: 5 },
      notKeys: { name: 2, mail: 1, profile: 1, number: 1 },
    });
    const done = await runEnrichment(sidebar);
    expect(done).toMatchObject({
      ...{ rows: 1, credits: 10, failed: { '#INVALID_KEY': 5 } },
      notKeys: { name: 2, mail: 1, profile: 1, number: 1 },
    });
    expect(gateway.lookups.flatMap(({ keys }) => keys)).toEqual(['acme.example']);
    expect(readCells(sidebar)).toEqual(['Name of acme.example', ...Array(5).fill('#INVALID_KEY')]);
    expect(readNotes(sidebar, 6)).toEqual([
      '',
      NAME,
      MAIL,
      'This is a profile link, not a website. Put the company’s website here.',
      'This is a number, not a website. Put the company’s website here.',
      NAME,
    ]);
    await sidebar.callOk('undo', { runId: done.runId });
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(before);
  });

  it('have no note if a status column says it', async () => {
    const sidebar = await openSidebar({ workbook: createList(['ann@wp.pl']) });
    await runEnrichment(sidebar, { statusColumn: true });
    expect(sidebar.getValues('Sheet1')[1]).toEqual(['ann@wp.pl', '#INVALID_KEY', '', `#INVALID_KEY ${MAIL}`]);
    expect(readNotes(sidebar, 1)).toEqual(['']);
  });

  it.each<[Partial<EnrichOrder>, string, string]>([
    [
      { by: 'url', family: 'company_base' },
      'https://acme.example/company/about-us',
      'This isn’t a profile link of the network. Put the company’s profile link here.',
    ],
    [
      { by: 'url', family: 'employee_clean' },
      'https://network.example/company/acme',
      'This is the profile of a company. Put the employee’s profile link here.',
    ],
    [
      { by: 'id', family: 'job_base' },
      '4,711',
      'This number isn’t an ID: an ID is a whole number such as 4711. Put the ID here.',
    ],
    [{ by: 'id', family: 'company_base' }, 'Acme', `This is a name, not an ID. ${NAME.slice(24)}`],
  ])('of %o: %s', async (order, cell, note) => {
    const sidebar = await openSidebar({ workbook: createList([cell]) });
    await runEnrichment(sidebar, order);
    expect(readNotes(sidebar, 1)).toEqual([note]);
    expect(gateway.lookups).toEqual([]);
  });

  it('lose the note once they have a record, and notes of people stay', async () => {
    const values = [
      ['Website', 'Name'],
      ['E.Ondra', ''],
      ['ann@wp.pl', ''],
      ['nobody.example', ''],
    ];
    const workbook = createWorkbook(values, { notes: [[], [], ['', 'ask Ann']] });
    const sidebar = await openSidebar({ workbook });
    const order: Partial<EnrichOrder> = { into: [{ column: 2, path: 'name' }] };
    // Own columns take no error, so they are left alone.
    await runEnrichment(sidebar, { ...order, fields: ['name'] });
    expect(readNotes(sidebar, 3)).toEqual(['', 'ask Ann', '']);

    const other = await openSidebar({ workbook: createList(['E.Ondra', 'nobody.example']) });
    await runEnrichment(other);
    expect(readNotes(other, 2)).toEqual([NAME, expect.stringMatching(/^No record/)]);
    other.editSheet('Sheet1', (sheet) => ({
      values: sheet.values.map((row) => (row[0] === 'E.Ondra' ? ['ondra.example', ...row.slice(1)] : row)),
    }));
    await runEnrichment(other, {}, true);
    expect(readCells(other)).toEqual(['Name of ondra.example', '#NOT_FOUND']);
    expect(readNotes(other, 2)).toEqual(['', expect.stringMatching(/^No record/)]);
  });

  it('are read as names on demand, into the same columns, and websites beside them stay free', async () => {
    const { sidebar, calls } = await openMatching(createList(['acme.example', 'Acme Robots', 'ann@wp.pl']));
    await runEnrichment(sidebar);
    expect(calls).toEqual([]);
    const done = await runEnrichment(sidebar, { by: 'name' }, true);
    expect(done).toMatchObject({ rows: 2, credits: 10, notKeys: { mail: 1 } });
    expect(sidebar.getValues('Sheet1')).toEqual([
      ['Website', 'Name', 'Founded'],
      ['acme.example', 'Name of acme.example', 1999],
      ['Acme Robots', 'Acme Robots GmbH', 1999],
      ['ann@wp.pl', '#INVALID_KEY', ''],
    ]);
    expect(calls.map(({ companies }) => companies)).toEqual([[{ name: 'Acme Robots' }]]);
    expect(await sidebar.callOk('tables', {})).toHaveLength(1);
  });
});

describe('cells of names', () => {
  it('may be websites, e-mail addresses and profile links in any spelling; others are no names', async () => {
    const cells = [
      '"acme.example"',
      'Ann <ann@acme.example>',
      'https://network.example/company/Acme',
      'J.Crewe',
      '@home Interiors',
    ];
    const { sidebar, calls } = await openMatching(
      createList([...cells, 'Ann <ann@wp.pl>', 'facebook.com/acme', '4711.0']),
    );
    const done = await runEnrichment(sidebar, { by: 'name', statusColumn: true });
    expect(done.notKeys).toEqual({ mail: 1, page: 1, number: 1 });
    expect(gateway.lookups.map(({ by, keys }) => [by, keys])).toEqual([
      ['website', ['acme.example']],
      ['shorthand_name', ['acme']],
    ]);
    expect(calls.flatMap(({ companies }) => companies.map(({ name }) => name))).toEqual([
      'J.Crewe',
      '@home Interiors',
    ]);
  });
});

it('a subdomain without a record offers its registered domain, which is not bought', async () => {
  const sidebar = await openSidebar({ workbook: createList(['blog.nobody.example']) });
  await runEnrichment(sidebar);
  expect(readNotes(sidebar, 1)).toEqual([
    'No record was found. Its main domain is nobody.example: put that into the cell to look it up.',
  ]);
  expect(gateway.lookups.flatMap(({ keys }) => keys)).toEqual(['blog.nobody.example']);
});
