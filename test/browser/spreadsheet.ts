// Page object of the playground: opens it in Chromium, types, and reads cells.
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, vi } from 'vitest';
import { formatPlaygroundUrl } from '../../shared/playground.ts';
import type { Session } from '../../worker/commands/instance/session.ts';
import { matchSpaces, PATIENCE, shareBrowser, shareProfile } from './browser.ts';

export type Cell = string | number | boolean | null;

/** West of the script's time zone, where a date read in the wrong zone shows the day before. */
const ZONE = 'America/Los_Angeles';

const WINDOW = { viewport: { width: 1280, height: 800 }, timezoneId: ZONE };

/** Where a page keeps its workbook and settings. Compiled scripts stay. */
const STORES = 'cookies,indexeddb,local_storage';

/** Contexts with an open playground. */
const open = new Set<BrowserContext>();

export interface OpenOptions {
  locale?: string;
  firstSheet?: string;
}

/** The playground, open in a browser. */
export class Spreadsheet {
  readonly page: Page;
  readonly sidebar: FrameLocator;
  /** Console errors, failed requests and requests to other hosts. */
  readonly faults: string[] = [];
  readonly #origin: string;
  readonly #firstSheet: string;

  private constructor(page: Page, url: string, firstSheet: string) {
    this.page = page;
    this.#firstSheet = firstSheet;
    this.sidebar = page.frameLocator('#sidebar iframe');
    const { origin } = new URL(url);
    this.#origin = origin;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        this.faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.faults.push(`page: ${error.message}`));
    page.on('response', (response) => {
      if (response.status() >= 400) this.faults.push(`${response.status()}: ${response.url()}`);
    });
    page.on('request', (request) => {
      const target = new URL(request.url());
      const isLocal = target.origin === origin || target.protocol === 'data:' || target.protocol === 'blob:';
      if (!isLocal) this.faults.push(`other host: ${request.url()}`);
    });
  }

  /**
   * @param options.locale - the spreadsheet's
   * @param options.firstSheet - the sheet to open once the page is ready; by default the one with the first formula
   */
  static async open(
    session: Session,
    { locale, firstSheet = 'Companies' }: OpenOptions = {},
  ): Promise<Spreadsheet> {
    const profile = await shareProfile(WINDOW);
    // Pages of a profile share their workbook, so a second one gets its own window.
    const isShared = !open.has(profile);
    const page = isShared ? await profile.newPage() : await (await shareBrowser()).newPage(WINDOW);
    const sheet = new Spreadsheet(page, session.url, firstSheet);
    open.add(page.context());
    const address = new URL(formatPlaygroundUrl(session));
    if (locale !== undefined) address.searchParams.set('locale', locale);
    await page.goto(address.href);
    await sheet.waitUntilReady();
    return sheet;
  }

  /** Closes the page and deletes what it has stored. */
  async close(): Promise<void> {
    const context = this.page.context();
    const session = await context.newCDPSession(this.page);
    await this.page.goto('about:blank');
    await session.send('Storage.clearDataForOrigin', { origin: this.#origin, storageTypes: STORES });
    await this.page.close();
    open.delete(context);
  }

  async waitUntilReady(): Promise<void> {
    await this.#waitFor('window.cdapiPlayground !== undefined');
    await this.runSample(this.#firstSheet);
  }

  async #waitFor(expression: string): Promise<void> {
    await vi.waitFor(async () => expect(await this.page.evaluate(expression)).toBe(true), PATIENCE);
  }

  /** Reads the displayed values of a range such as `A1:B6`. */
  read(range: string, sheet = 'Companies'): Promise<Cell[][]> {
    return this.page.evaluate<Cell[][]>(
      `window.cdapiPlayground.read(${JSON.stringify(sheet)}, ${JSON.stringify(range)})`,
    );
  }

  /** Reads formulas of a range. */
  readFormulas(range: string, sheet = 'Companies'): Promise<string[][]> {
    return this.page.evaluate<string[][]>(
      `window.cdapiPlayground.readFormulas(${JSON.stringify(sheet)}, ${JSON.stringify(range)})`,
    );
  }

  /** Enters formulas into a range. */
  async enter(range: string, formulas: string[][], sheet = 'Companies'): Promise<void> {
    const args = [sheet, range, formulas].map((each) => JSON.stringify(each)).join();
    await this.page.evaluate(`window.cdapiPlayground.enter(${args})`);
  }

  /** Chooses an item of the add-on's menu. */
  async choose(item: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Extensions → CDAPI' }).click();
    await this.page
      .getByRole('menu', { name: 'CDAPI' })
      .getByRole('menuitem', { name: item, exact: true })
      .click();
  }

  /** Chooses an item of the playground's own menu. */
  async chooseFile(item: string): Promise<void> {
    await this.page.getByRole('button', { name: 'File', exact: true }).click();
    await this.page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  /** Deletes the saved workbook and opens the initial one. */
  async startOver(): Promise<void> {
    await this.chooseFile('Start over');
    const loaded = this.page.waitForEvent('load');
    await this.page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await loaded;
    await this.waitUntilReady();
  }

  /** Reads styles, notes and links of a range. */
  readStyles(range: string, sheet = 'Companies'): Promise<Record<string, string>[][]> {
    return this.page.evaluate(
      `window.cdapiPlayground.readStyles(${JSON.stringify(sheet)}, ${JSON.stringify(range)})`,
    );
  }

  /** Reads the status line. */
  async status(): Promise<string> {
    return (await this.page.locator('#status').textContent()) ?? '';
  }

  /** Waits until a range shows these values. */
  async shows(range: string, cells: readonly (readonly Cell[])[], sheet?: string): Promise<void> {
    await vi.waitFor(async () => expect(await this.read(range, sheet)).toEqual(cells), PATIENCE);
  }

  /** Opens a sheet by its tab. */
  async openSheet(name: string): Promise<void> {
    await this.page.getByText(name, { exact: true }).first().click();
  }

  /** Opens a sheet, and runs its sample if that has not run. */
  async runSample(name: string): Promise<void> {
    await this.openSheet(name);
    await this.page.locator(`#offer[data-sheet="${name}"]`).waitFor({ state: 'attached' });
    if (await this.offer.isVisible()) await this.offer.getByRole('button', { name: /^(Run|Place)/ }).click();
  }

  /** The bar that offers to run the sample of the open sheet. */
  get offer(): Locator {
    return this.page.getByRole('region', { name: 'Sample' });
  }

  /** Selects a cell or range through the name box. */
  async goTo(address: string): Promise<void> {
    const box = this.page.locator('[data-u-comp="defined-name"] input');
    await box.fill(address);
    await box.press('Enter');
    // The grid accepts input before it has moved the selection.
    await this.#waitFor(`window.cdapiPlayground.selected() === ${JSON.stringify(address)}`);
    await this.#waitFor('document.activeElement?.id.includes("INTERNAL_EDITOR") === true');
  }

  /** Types into a cell and presses Enter. */
  async type(address: string, text: string): Promise<void> {
    await this.goTo(address);
    // One input event: delayed suggestions would take the Enter.
    await this.page.keyboard.insertText(text);
    await this.page.keyboard.press('Enter');
  }

  /** A visible button of the sidebar. */
  button(name: string | RegExp): Locator {
    return this.sidebar
      .getByRole('button', { name: matchSpaces(name) })
      .filter({ visible: true })
      .first();
  }

  /** A visible text of the sidebar. */
  text(text: string | RegExp): Locator {
    return this.sidebar.getByText(matchSpaces(text)).filter({ visible: true }).first();
  }

  /** Clicks a button of the sidebar and waits for a text. */
  async press(name: string | RegExp, result: RegExp): Promise<void> {
    await this.button(name).click(PATIENCE);
    await this.text(result).waitFor();
  }

  /** Closes the report of a run, unless it has closed already. */
  async closeReport(): Promise<void> {
    await this.button('Close').evaluateAll('(buttons) => buttons.forEach((button) => button.click())');
  }
}

/** Opens the playground for a suite and checks at the end that it had no faults. */
export function setUpPlayground(options?: OpenOptions): () => Spreadsheet {
  let sheet: Spreadsheet | undefined;
  beforeAll(async () => {
    sheet = await Spreadsheet.open(inject('session'), options);
  });
  afterAll(async () => {
    const faults = [...(sheet?.faults ?? [])];
    await sheet?.close();
    expect(faults).toEqual([]);
  });
  return () => {
    if (sheet === undefined) throw new Error('the playground is not open');
    return sheet;
  };
}

/** Calls the gateway as the team of the instance. */
export async function callGateway<T>(path: string, body?: object): Promise<T> {
  const { url, team_token } = inject('session');
  const response = await fetch(`${url}/sheets/v1/${path}`, {
    headers: { authorization: `Bearer ${team_token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}
