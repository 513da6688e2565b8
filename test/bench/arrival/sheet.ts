// Drives the playground in Chromium: places bulk orders and waits for their rows.
import { type Browser, chromium, type FrameLocator, type Locator, type Page } from 'playwright-core';
import * as z from 'zod';
import { installChromium } from '../../chromium.ts';

const PATIENCE_MS = 120_000;

const drawnSchema = z.object({ firstRow: z.number(), lastRow: z.number() });

/** Times of the stages, in milliseconds since 1970. */
export interface ArrivalTimes extends z.infer<typeof drawnSchema> {
  /** The last request for changes before the request for rows. */
  changesRequested: number;
  /** The first request for rows. */
  rowsRequested: number;
}

/**
 * Builds an expression that waits for rows. It checks in each animation frame; cells are drawn when the next frame
 * begins. Cells outside the grid cannot be read, so the last row is found through its whole column.
 * @param records - number of rows below the heading
 */
function buildWatchScript(sheet: string, records: number): string {
  return `(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const hasValue = (range, row) => {
      const value = window.cdapiPlayground.read(${JSON.stringify(sheet)}, range)[row]?.[0] ?? '';
      return value !== '';
    };
    const hasLastRow = () => hasValue('A:A', ${records});
    while (!hasValue('A2', 0)) await frame();
    const complete = hasLastRow();
    await frame();
    const firstRow = Date.now();
    if (complete) return { firstRow, lastRow: firstRow };
    while (!hasLastRow()) await frame();
    await frame();
    return { firstRow, lastRow: Date.now() };
  })()`;
}

/** The playground in a browser, with its sidebar. */
export class OpenSheet {
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #sidebar: FrameLocator;
  /** Requests of the sheet to the gateway with their start times. */
  #calls: { path: string; at: number }[] = [];

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
    this.#sidebar = page.frameLocator('#sidebar iframe');
    page.on('requestfinished', (request) => {
      this.#calls.push({ path: new URL(request.url()).pathname, at: request.timing().startTime });
    });
  }

  /** Opens the playground. @param url - its address, with the nonce */
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

  /** Fills in a search that matches most companies. */
  async #fillInSearch(): Promise<void> {
    await this.#findTab('Search').click();
    await this.#findField('Employees from').fill('1');
    await this.#findTab('Bulk').click();
    await this.#findText('Maximum number of records').waitFor();
  }

  /** Orders records into a new sheet, waits for the confirmation and shows that sheet. */
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

  /** Waits until the rows of an order are drawn. */
  async waitForRows(title: string, records: number): Promise<ArrivalTimes> {
    const drawn = drawnSchema.parse(await this.#page.evaluate(buildWatchScript(title, records)));
    await this.#findText(
      `${records.toLocaleString('en-US')} rows arrived in “${title}” on sheet “${title}”.`,
    ).waitFor();
    const rowsRequested = this.#calls.find(({ path }) => path.endsWith('/rows'))?.at;
    const changesRequested = this.#calls.findLast(
      ({ path, at }) => path.endsWith('/changes') && at < (rowsRequested ?? 0),
    )?.at;
    if (rowsRequested === undefined || changesRequested === undefined)
      throw new Error('rows arrived without a request');
    return { ...drawn, changesRequested, rowsRequested };
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
