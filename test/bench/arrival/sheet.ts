// A person in front of the open sheet: opens the playground in Chromium, orders records in bulk, and sees rows come.
import { type Browser, chromium, type FrameLocator, type Locator, type Page } from 'playwright-core';
import * as z from 'zod';
import { installChromium } from '../../chromium.ts';

const PATIENCE_MS = 120_000;

const drawnSchema = z.object({ first: z.number(), last: z.number() });

/** When something happened, in milliseconds since 1970. */
export interface ArrivalTimes extends z.infer<typeof drawnSchema> {
  /** The sheet asked what became ready, for the last time before it asked for rows. */
  asked: number;
  /** It asked for rows. */
  fetched: number;
}

/**
 * An expression that waits for rows. It looks in each frame; what it finds then is drawn when the next one begins. A cell
 * outside of the grid can't be read: the last row is looked for in the whole column.
 * @param records - how many rows will come, behind a heading
 */
function buildWatchScript(sheet: string, records: number): string {
  return `(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const holds = (range, row) => {
      const value = window.cdapiPlayground.read(${JSON.stringify(sheet)}, range)[row]?.[0] ?? '';
      return value !== '';
    };
    const holdsLast = () => holds('A:A', ${records});
    while (!holds('A2', 0)) await frame();
    const complete = holdsLast();
    await frame();
    const first = Date.now();
    if (complete) return { first, last: first };
    while (!holdsLast()) await frame();
    await frame();
    return { first, last: Date.now() };
  })()`;
}

/** The playground, open in a browser, with its sidebar. */
export class OpenSheet {
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #sidebar: FrameLocator;
  /** The calls that the sheet made of the gateway, with the time at which each began. */
  #calls: { path: string; at: number }[] = [];

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
    this.#sidebar = page.frameLocator('#sidebar iframe');
    page.on('requestfinished', (request) => {
      this.#calls.push({ path: new URL(request.url()).pathname, at: request.timing().startTime });
    });
  }

  /**
   * Opens the playground.
   * @param url - of the running instance
   */
  static async open(url: string): Promise<OpenSheet> {
    const browser = await chromium.launch({
      executablePath: await installChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(PATIENCE_MS);
    const sheet = new OpenSheet(browser, page);
    await page.goto(url);
    await sheet.#fillInSearch();
    return sheet;
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }

  /** Fills in a search that most companies match. */
  async #fillInSearch(): Promise<void> {
    await this.#findTab('Search').click();
    await this.#findField('Employees from').fill('1');
    await this.#findTab('Bulk').click();
    await this.#findText('Maximum number of records').waitFor();
  }

  /** Orders records for a new sheet, which comes to the front, and waits until it is said that they are on their way. */
  async order(title: string, records: number): Promise<void> {
    await this.#findButton('New order').click();
    await this.#sidebar
      .locator('summary')
      .filter({ hasText: /^Name$/, visible: true })
      .click();
    await this.#findField('Name').fill(title);
    await this.#findField('Maximum number of records').fill(String(records));
    await this.#sidebar
      .getByRole('button', { name: new RegExp(`^Order ${records.toLocaleString('en-US')} records`) })
      .click();
    await this.#findText(/^Order placed\./).waitFor();
    this.#calls = [];
    await this.#page.getByText(title, { exact: true }).click();
  }

  /** Waits until the rows of an order are there. */
  async waitForRows(title: string, records: number): Promise<ArrivalTimes> {
    const seen = drawnSchema.parse(await this.#page.evaluate(buildWatchScript(title, records)));
    await this.#findText(`${records.toLocaleString('en-US')} rows arrived in ${title}.`).waitFor();
    const fetched = this.#calls.find(({ path }) => path.endsWith('/rows'))?.at;
    const asked = this.#calls.findLast(
      ({ path, at }) => path.endsWith('/changes') && at < (fetched ?? 0),
    )?.at;
    if (fetched === undefined || asked === undefined) throw new Error('rows came that nobody asked for');
    return { ...seen, asked, fetched };
  }

  #findTab(name: string): Locator {
    return this.#sidebar.getByRole('tab', { name });
  }

  #findButton(name: string): Locator {
    return this.#sidebar.getByRole('button', { name, exact: true }).filter({ visible: true });
  }

  #findField(name: string): Locator {
    return this.#sidebar.getByRole('textbox', { name, exact: true }).filter({ visible: true });
  }

  #findText(text: string | RegExp): Locator {
    return this.#sidebar.getByText(text).filter({ visible: true }).first();
  }
}
