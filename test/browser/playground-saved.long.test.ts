// The saved workbook of the playground: a reload keeps it, it downloads as CSV and Excel file, Start over deletes it.
import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { expect, inject, it } from 'vitest';
import { eventually, PATIENCE } from './browser.ts';
import { setUpPlayground } from './spreadsheet.ts';

const open = setUpPlayground();

it('keeps cells and results over a reload without lookups, downloads them, and starts over after a question or damage', {
  timeout: 90_000,
}, async () => {
  const sheet = open();
  const { page } = sheet;
  await sheet.shows('B15', [['#INVALID_KEY']]);
  const results = await sheet.read('A1:F15');
  await sheet.type('H1', '@mine');
  await sheet.type('H2', '=A2&"!"');
  await sheet.type('H3', '1234.5');
  await sheet.shows('H2', [[`${results[1]?.[0]}!`]]);
  await page.getByText('Saved in this browser').waitFor(PATIENCE);
  const stored = await page.evaluate<string>(`new Promise((resolve) => {
    indexedDB.open('cdapi-playground').onsuccess = ({ target }) => {
      target.result.transaction('workbooks').objectStore('workbooks').getAll().onsuccess = (event) =>
        resolve(JSON.stringify(event.target.result));
    };
  })`);
  expect(stored).toContain('@mine');
  expect(stored).not.toContain(inject('session').team_token);

  const lookups: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/lookup')) lookups.push(request.url());
  });
  await page.reload();
  await sheet.waitUntilReady();
  await sheet.shows('A1:F15', results);
  await sheet.shows('H1:H2', [['@mine'], [`${results[1]?.[0]}!`]]);
  expect(lookups).toEqual([]);

  const download = async (item: string) => {
    const [file] = await Promise.all([page.waitForEvent('download'), sheet.chooseFile(item)]);
    return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
  };
  const csv = await download('Download sheet as CSV');
  expect(csv.name).toBe('Companies.csv');
  const [headings, first] = csv.content.toString().split('\r\n');
  expect(headings).toBe("\ufeffWebsite,Name,Industry,Size,Country,Founded,,'@mine");
  expect(first).toMatch(new RegExp(`^${results[1]?.[0]},.*,,${results[1]?.[0]}!$`));

  const excel = await download('Download workbook as Excel file');
  expect(excel.name).toMatch(/\.xlsx$/);
  const files = unzipSync(excel.content);
  const readPart = (name: string): string => strFromU8(files[`xl/${name}.xml`] ?? new Uint8Array());
  expect(readPart('workbook')).toContain('name="Companies"');
  for (const text of ['Website', '@mine', `${results[1]?.[0]}!`, `${results[1]?.[1]}`])
    expect(readPart('sharedStrings')).toContain(`>${text}<`);
  // Formulas are their values, and numbers stay numbers.
  expect(readPart('worksheets/sheet2')).not.toContain('<f>');
  expect(readPart('worksheets/sheet2')).toContain('<v>1234.5</v>');

  await sheet.chooseFile('Start over');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await sheet.read('H1')).toEqual([['@mine']]);
  await sheet.startOver();
  await eventually(() => sheet.read('H1')).toEqual([[null]]);

  await sheet.shows('B15', [['#INVALID_KEY']]);
  await sheet.type('H1', 'lost');
  await page.getByText('Saved in this browser').waitFor(PATIENCE);
  await page.evaluate(`new Promise((resolve) => {
    indexedDB.open('cdapi-playground').onsuccess = ({ target }) => {
      const transaction = target.result.transaction('workbooks', 'readwrite');
      transaction.oncomplete = resolve;
      transaction.objectStore('workbooks').openCursor().onsuccess = (event) =>
        event.target.result?.update({ content: 'damaged' });
    };
  })`);
  await page.reload();
  await page.getByText('The saved workbook couldn’t be opened').waitFor();
  await sheet.waitUntilReady();
  expect(await sheet.read('H1')).toEqual([[null]]);
});
