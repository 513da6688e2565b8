// Cells that are no website, in the playground: what their notes say, and how they are read as names.
import { expect, it } from 'vitest';
import { eventually, matchSpaces } from './browser.ts';
import { setUpPlayground } from './spreadsheet.ts';

const open = setUpPlayground();

it('explains cells that are no website in their notes, reads them as names, and finds no manual change', async () => {
  const sheet = open();
  await eventually(async () => (await sheet.read('B3'))[0]?.[0]).toEqual(expect.any(String));
  const [[website = ''] = [], [, name = ''] = []] = await sheet.read('A2:B3');
  await sheet.type('W1', 'Website');
  for (const [at, text] of [website, name, 'ann@wp.pl'].entries())
    await sheet.type(`W${at + 2}`, String(text));
  await sheet.lookForColumns();
  await sheet.sidebar.getByLabel(matchSpaces(/W · Website/)).check();
  await sheet.press(/^Enrich 3 rows/, /^Done/);
  const readNotes = async () => (await sheet.readStyles('X2:X4')).map(([cell]) => cell?.note);
  await eventually(readNotes).toEqual([
    undefined,
    expect.stringMatching(/^This is a company name\./),
    expect.stringMatching(/^An address at wp\.pl names no company\./),
  ]);
  await sheet.press('Look up 1 company name', /1 cell without a name/);
  await sheet.press(/^Enrich 3 rows/, /2 of 3 found/);
  await sheet.shows('X3', [[name]]);
  await eventually(readNotes).toEqual([undefined, undefined, undefined]);
  await sheet.press('Undo', /^Undone/);
  await sheet.closeReport();
});
