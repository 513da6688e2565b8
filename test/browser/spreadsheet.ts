// A person in front of the playground: opens it in Chromium, types, and looks at cells.
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, vi } from 'vitest';

export type Cell = string | number | boolean | null;

/** Where the person sits. */
const ZONE = 'America/Los_Angeles';
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** A formula asks the instance, which may ask its provider. */
const PATIENCE = { timeout: 20_000, interval: 50 };

/** The playground, open in a browser. */
export class Spreadsheet {
  readonly page: Page;
  /** What a person would never see but should not happen: console errors, failed loads, other hosts. */
  readonly faults: string[] = [];
  readonly #browser: Browser;

  private constructor(browser: Browser, page: Page, url: string) {
    this.#browser = browser;
    this.page = page;
    const { origin } = new URL(url);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        this.faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.faults.push(`page: ${error.message}`));
    page.on('response', (response) => {
      if (response.status() >= 400) this.faults.push(`${response.status()}: ${response.url()}`);
    });
    page.on('request', (request) => {
      const asked = new URL(request.url());
      const local = asked.origin === origin || asked.protocol === 'data:' || asked.protocol === 'blob:';
      if (!local) this.faults.push(`other host: ${request.url()}`);
    });
  }

  /** Asks from outside: the page's own policy forbids it to evaluate text. */
  async #comesTrue(expression: string): Promise<void> {
    await vi.waitFor(async () => expect(await this.page.evaluate(expression)).toBe(true), PATIENCE);
  }

  /**
   * Opens the playground.
   * @param url - the running instance
   */
  static async open(url: string): Promise<Spreadsheet> {
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    });
    // West of the add-on's own zone, where a date read by the wrong clock shows the day before.
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, timezoneId: ZONE });
    const sheet = new Spreadsheet(browser, page, url);
    await page.goto(url);
    await sheet.#comesTrue('window.cdapiPlayground !== undefined');
    return sheet;
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }

  /**
   * Reads what cells show.
   * @param range - such as `A1:B6`
   */
  read(range: string, sheet = 'Companies'): Promise<Cell[][]> {
    return this.page.evaluate<Cell[][]>(
      `window.cdapiPlayground.read(${JSON.stringify(sheet)}, ${JSON.stringify(range)})`,
    );
  }

  /** The line under the grid. */
  async status(): Promise<string> {
    return (await this.page.locator('#status').textContent()) ?? '';
  }

  /** Waits until a range shows this. */
  async shows(range: string, cells: readonly (readonly Cell[])[]): Promise<void> {
    await vi.waitFor(async () => expect(await this.read(range)).toEqual(cells), PATIENCE);
  }

  /** Goes to a cell or a range, as one does by typing its address into the box beside the formula bar. */
  async goTo(address: string): Promise<void> {
    const box = this.page.locator('[data-u-comp="defined-name"] input');
    await box.fill(address);
    await box.press('Enter');
    // What is typed goes to the selected cell, and the grid is listening before it has moved there.
    await this.#comesTrue(`window.cdapiPlayground.selected() === ${JSON.stringify(address)}`);
    await this.#comesTrue('document.activeElement?.id.includes("INTERNAL_EDITOR") === true');
  }

  /** Types into a cell and presses Enter. */
  async type(address: string, text: string): Promise<void> {
    await this.goTo(address);
    // As one input: suggestions follow letters with a delay, and on a busy machine would take the Enter.
    await this.page.keyboard.insertText(text);
    await this.page.keyboard.press('Enter');
  }
}
