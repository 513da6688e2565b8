// The sheet of the bulk request, as a person meets it: ordered once, filled by the add-on, nothing of theirs in the way.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { type Cell, Spreadsheet } from './spreadsheet.ts';

const { url, team_token } = inject('session');
const PATIENCE = { timeout: 60_000, interval: 100 };
const SHEET = 'Bulk order';
const HEADINGS = ['id', 'name', 'industry', 'size_range', 'location_hq_country', 'founded', 'websites_main'];

const list = z.object({
  requests: z.array(
    z.object({
      id: z.string(),
      family: z.string(),
      asked: z.number(),
      cached: z.number(),
      credits: z.object({ charged: z.number().nullable() }),
    }),
  ),
});
const rowsAnswer = z.object({ rows: z.array(z.array(z.unknown())) });

async function team<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const answer = await fetch(`${url}/sheets/v1/${path}`, {
    headers: { authorization: `Bearer ${team_token}` },
  });
  return schema.parse(await answer.json());
}

const requests = async () => (await team('requests', list)).requests;

let sheet: Spreadsheet;
const asked: string[] = [];

const note = (to: Spreadsheet): void => {
  to.page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
};
const openSheet = (of: Spreadsheet) => of.page.getByText(SHEET, { exact: true }).click();
const told = async (of: Spreadsheet) => String((await of.read('A2', SHEET))[0]?.[0] ?? '');
const rowsIn = async (of: Spreadsheet): Promise<Cell[][]> => of.read('A3:G34', SHEET);

beforeAll(async () => {
  sheet = await Spreadsheet.open(url);
  note(sheet);
}, 60_000);
afterAll(async () => {
  await sheet?.close();
});

describe('the sheet of the bulk request', { timeout: 120_000 }, () => {
  it('is filled by the add-on with what one order brought, says what that cost, and leaves Undo to the person', async () => {
    const before = await requests();
    const sidebar = sheet.page.frameLocator('#sidebar iframe');
    await sidebar.getByRole('button', { name: /^Write \d+ rows/ }).click(PATIENCE);
    await sidebar.getByText(/^Done/).waitFor();
    const ordered = sheet.page.waitForResponse(
      (answer) => answer.request().method() === 'POST' && answer.url().endsWith('/sheets/v1/requests'),
    );
    await openSheet(sheet);
    const { id } = z.object({ id: z.string() }).parse(await (await ordered).json());
    await expect
      .poll(() => told(sheet), PATIENCE)
      .toMatch(
        /^30 companies for \d+ credits? of the sandbox\. The playground ordered them when you first opened this sheet\. Opening it again is free\.$/,
      );
    const after = await requests();
    // Whoever opened the sheet of this instance before has ordered it already.
    const others = (all: typeof after) => all.filter((one) => one.id !== id);
    expect(others(after)).toEqual(others(before));
    const own = after.find((one) => one.id === id);
    expect(own).toMatchObject({ family: 'company_clean', asked: 30 });
    // What other sheets have bought comes from the cache.
    const charged = (30 - (own?.cached ?? 0)) * 10;
    expect(own?.credits.charged).toBe(charged);
    expect(await told(sheet)).toContain(`for ${charged} credit`);
    const brought = await team(`requests/${id}/rows?columns=id,name`, rowsAnswer);
    const [headings, ...rows] = await rowsIn(sheet);
    expect(headings).toEqual(HEADINGS);
    expect(rows.slice(0, 30).map(([id, name]) => [id, name])).toEqual(
      brought.rows.map(([id, name]) => [id, name]),
    );
    expect(rows.slice(30).flat().filter(Boolean)).toEqual([]);

    await sidebar.getByRole('button', { name: 'Undo' }).click();
    await sidebar.getByText(/^Undone/).waitFor();
    expect((await rowsIn(sheet)).flat().filter(Boolean).length).toBeGreaterThan(100);
  });

  it('says in the instance’s words why there are no rows, and writes over nothing that was typed', async () => {
    const other = await Spreadsheet.open(url);
    try {
      const path = '**/sheets/v1/requests';
      await other.page.route(path, (route) =>
        route.fulfill({ status: 402, json: { detail: 'The budget is spent.', fix: 'Ask for more.' } }),
      );
      await openSheet(other);
      await expect.poll(() => told(other), PATIENCE).toBe('The budget is spent. Ask for more.');
      await other.page.unroute(path);

      await other.page.reload();
      await expect.poll(() => other.page.evaluate('window.cdapiPlayground !== undefined')).toBe(true);
      await other.page.route(path, async (route) => {
        await expect.poll(async () => (await other.read('A4', SHEET))[0]?.[0], PATIENCE).toBe('mine');
        await route.continue();
      });
      await openSheet(other);
      await other.type('A4', 'mine');
      await expect
        .poll(() => told(other), PATIENCE)
        .toMatch(/^The cells below hold something, so the rows are not written/);
      expect((await rowsIn(other)).flat().filter(Boolean)).toEqual(['mine']);
    } finally {
      await other.close();
    }
  });

  it('logs no error and asks no other host', () => {
    expect(sheet.faults).toEqual([]);
  });
});
