// Pictures of the playground and the console.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { DAY_MS } from '../../shared/lib/durations.ts';
import { eventually, PATIENCE, shareBrowser } from './browser.ts';
import { signIn } from './console-pages.ts';
import { takePicture } from './picture.ts';
import { callGateway, setUpPlayground } from './spreadsheet.ts';

const { url } = inject('session');
const getSheet = setUpPlayground({ firstSheet: 'My companies' });

let consolePage: Page;
beforeAll(async () => {
  const context = await (await shareBrowser()).newContext();
  consolePage = await signIn(context);
});
afterAll(() => consolePage.context().close());

/** Adds a month of usage, less at weekends, as the ledgers roll it up. */
function addUsage(): void {
  const files = globSync(join(inject('folder'), 'state/v3/d1/*/*.sqlite'));
  let gateways = 0;
  for (const file of files) {
    // The Worker uses it, too.
    const database = new DatabaseSync(file, { timeout: PATIENCE.timeout });
    const isGateway = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'usage_days'`).get();
    if (isGateway) gateways += 1;
    for (let before = 0; isGateway && before < 30; before += 1) {
      const day = new Date(Date.now() - before * DAY_MS);
      const isWeekend = [0, 6].includes(day.getUTCDay());
      const fetched = (isWeekend ? 60 : 300) + ((before * 37) % 90);
      const hit = 4 * fetched - ((before * 53) % 110);
      const failed = isWeekend ? 1 : before % 5;
      database
        .prepare(
          `INSERT OR REPLACE INTO usage_days (day, team_id, token_id, family, operation,
             stale, coalesced, not_found, hit, fetched, failed, credits, saved, latency_ms)
           VALUES (?, 'development', 'pictures', 'company_clean', 'enrich', 20, 40, 15, ?, ?, ?, ?, ?, ?)`,
        )
        .run(day.toISOString().slice(0, 10), hit, fetched, failed, fetched * 10, hit * 10, fetched * 320);
    }
    database.close();
  }
  expect(gateways).toBe(1);
}

/** A size, and the steps that lead to the picture from the one before it. */
type Picture = readonly [width: number, height: number, show: () => Promise<unknown>];

const PLAYGROUND: Readonly<Record<string, Picture>> = {
  playground: [
    1200,
    660,
    async () => {
      const sheet = getSheet();
      // Fonts for other scripts may be missing here.
      await sheet.type('A4', 'uldotanpartners.example');
      await sheet.button('Look for columns again').click();
      await sheet.text(/^5 rows · \d+ credits$/).waitFor();
      await sheet.press(/^Enrich 5 rows/, /^Done/);
    },
  ],
  menu: [
    1000,
    600,
    async () => {
      const sheet = getSheet();
      await sheet.page.getByRole('button', { name: 'Dismiss first steps' }).click();
      await sheet.button('Close').click();
      await sheet.runSample('Companies');
      await sheet.shows('B14:B15', [['#NOT_FOUND'], ['#INVALID_KEY']]);
      await sheet.text(/^14 rows · free/).waitFor();
      await sheet.page.getByRole('button', { name: 'Extensions → CDAPI' }).click();
    },
  ],
  connect: [
    1000,
    600,
    async () => {
      const sheet = getSheet();
      await sheet.page.getByRole('menuitem', { name: 'Disconnect', exact: true }).click();
      for (const name of ['Yes', 'OK'])
        await sheet.page.getByRole('dialog').getByRole('button', { name }).click();
      await sheet.enter('B2', await sheet.readFormulas('B2'));
      await sheet.shows('B2', [['#ERROR!']]);
      await sheet.choose('Open sidebar');
      await sheet.text('Connect to your team').waitFor();
      await sheet.goTo('B2');
    },
  ],
};

const CONSOLE: Readonly<Record<string, Picture>> = {
  'console-order': [
    1120,
    520,
    async () => {
      const query = { query: { match_all: {} } };
      // Another test orders the same records and more.
      const order = { kind: 'es_dsl', family: 'employee_base', es_dsl: query, limit: 20 };
      const { id } = await callGateway<{ id: string }>('requests', order);
      await consolePage.goto(`${url}/console/activity/orders/${id}`);
      await eventually(async () => {
        await consolePage.reload();
        return consolePage.locator('main').textContent();
      }).toContain('Ready: 20 rows.');
    },
  ],
  'console-overview': [
    1120,
    690,
    async () => {
      addUsage();
      await consolePage.goto(`${url}/console`);
    },
  ],
};

it.each(Object.entries(PLAYGROUND))('%s', async (name, [width, height, show]) => {
  const { page } = getSheet();
  await page.setViewportSize({ width, height });
  await show();
  await page.getByText('Saved in this browser').waitFor();
  await takePicture(page, name);
});

it.each(Object.entries(CONSOLE))('%s', async (name, [width, height, show]) => {
  await consolePage.setViewportSize({ width, height });
  await show();
  await takePicture(consolePage, name);
});
