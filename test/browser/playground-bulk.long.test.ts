// Bulk orders in the playground, with everything real: its example, placed once, refused or with typed cells in its place, and
// an order in the sidebar.
import { describe, expect, inject, it } from 'vitest';
import { eventually, PATIENCE } from './browser.ts';
import { callGateway, Spreadsheet, setUpPlayground } from './spreadsheet.ts';

const SHEET = 'Bulk order';
const open = setUpPlayground();

interface Order {
  id: string;
  cached: number;
  credits: { charged: number | null };
}

const readProgress = async (sheet: Spreadsheet) => String((await sheet.read('A2', SHEET))[0]?.[0] ?? '');
const readRows = (sheet: Spreadsheet) => sheet.read('A3:G34', SHEET);

describe('the example order', () => {
  it('is placed once and written by the add-on; Undo is left to the user', async () => {
    const sheet = open();
    await sheet.sidebar.getByRole('tab', { name: 'Search' }).click();
    await sheet.press(/^Write \d+ rows/, /^Done/);
    const ordered = sheet.page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/sheets/v1/requests'),
    );
    await sheet.openSheet(SHEET);
    const price =
      /^This sheet has a bulk order of 30 companies\. Placing it costs up to 300 of your [\d,]+ fictional credits\./;
    await sheet.offer.getByText(price).waitFor();
    expect(await readProgress(sheet)).toBe('');
    await sheet.runSample(SHEET);
    const { id }: Order = await (await ordered).json();
    await eventually(() => readProgress(sheet)).toMatch(/^30 companies for \d+ credits? of the sandbox\./);
    const { requests } = await callGateway<{ requests: Order[] }>('requests');
    const order = requests.find((request) => request.id === id);
    // Records that other sheets have bought come from the cache.
    const charged = (30 - (order?.cached ?? 0)) * 10;
    expect(order?.credits.charged).toBe(charged);
    expect(await readProgress(sheet)).toContain(`for ${charged} credit`);
    const { spent } = await callGateway<{ spent: { day: number } }>('me');
    const line = `Your team today: ${spent.day.toLocaleString('en')} credits spent`;
    await eventually(() => sheet.page.locator('#activity').textContent()).toContain(line);
    const delivered = await callGateway<{ rows: unknown[][] }>(`requests/${id}/rows?columns=id,name`);
    const [headings, ...rows] = await readRows(sheet);
    expect(headings?.join()).toBe('ID,Name,Industry,Size,Country,Founded,Website');
    expect(rows.slice(0, 30).map((row) => row.slice(0, 2))).toEqual(
      delivered.rows.map((row) => row.slice(0, 2)),
    );
    expect(rows.slice(30).flat().filter(Boolean)).toEqual([]);

    await sheet.press('Undo', /^Undone/);
    expect((await readRows(sheet)).flat().filter(Boolean).length).toBeGreaterThan(100);
  });
});

it('shows the gateway’s error and does not overwrite typed cells', async () => {
  const sheet = await Spreadsheet.open(inject('session'));
  try {
    const path = '**/sheets/v1/requests';
    const json = { detail: 'The budget is spent.', fix: 'Ask for more.' };
    await sheet.page.route(path, (route) => route.fulfill({ status: 402, json }));
    await sheet.runSample(SHEET);
    await eventually(() => readProgress(sheet)).toBe('The budget is spent. Ask for more.');
    // It can be placed again.
    await sheet.offer.waitFor();
    await sheet.page.unroute(path);

    await sheet.page.reload();
    await sheet.waitUntilReady();
    await sheet.page.route(path, async (route) => {
      await expect.poll(async () => (await sheet.read('A4', SHEET))[0]?.[0], PATIENCE).toBe('mine');
      await route.continue();
    });
    await sheet.runSample(SHEET);
    // Opening the sheet selects its heading: typing before that would go there.
    await eventually(() => sheet.page.evaluate('window.cdapiPlayground.selected()')).toBe('A3');
    await sheet.type('A4', 'mine');
    await eventually(() => readProgress(sheet)).toMatch(/^The cells below hold something/);
    expect((await readRows(sheet)).flat().filter(Boolean)).toEqual(['mine']);
  } finally {
    await sheet.close();
  }
});

it('an order in the sidebar is followed until its rows are written, and free when it is repeated', async () => {
  const sheet = open();
  const openTab = (name: string) => sheet.sidebar.getByRole('tab', { name }).click();
  const price = () => sheet.sidebar.locator('.panel:not([hidden]) .price [role="status"]').textContent();
  await openTab('Search');
  await sheet.sidebar.getByRole('textbox', { name: 'Employees from' }).fill('1');
  await openTab('Bulk');
  await sheet.sidebar.getByLabel('Maximum number of records').fill('30');
  await eventually(price).toMatch(/^30 records · (?:.* to buy: )?up to \d+ credits?, charged on delivery$/);
  await sheet.press(
    /^Order 30 records · up to \d+ credits?$/,
    /^30 rows arrived in .+\. \d+ credits charged\.$/,
  );
  await sheet.text(/^30 of 30 records(?:, \d+ already bought)? · \d+ credits?$/).waitFor();
  const arrived = (await sheet.text(/^30 rows arrived/).textContent()) ?? '';
  const rows = await sheet.read('A1:F60', /on sheet “(.*?)”\. /.exec(arrived)?.[1]);
  expect(rows.filter((row) => row.some(Boolean))).toHaveLength(31);
  await openTab('Tables');
  await sheet.button(/^Order again/).click();
  await eventually(price).toBe('30 records · all already bought (free)');
  await sheet.press(/^Order 30 records · free$/, /^Your team already bought all these records/);
});
