// The sidebar in the playground with everything real: page, script, host, Worker and grid.
import { describe, expect, it } from 'vitest';
import { eventually, matchSpaces, PATIENCE } from './browser.ts';
import { type Cell, setUpPlayground } from './spreadsheet.ts';

const open = setUpPlayground();
const openTab = (name: string) => open().sidebar.getByRole('tab', { name }).click();
const price = () => open().sidebar.locator('.panel:not([hidden]) .price [role="status"]').textContent();
const evaluateInFrame = <T>(script: string): Promise<T> | undefined =>
  open()
    .page.frames()
    .find((frame) => frame.url().endsWith('/sidebar'))
    ?.evaluate<T>(script);

/** Counts the rows with content below the heading. */
const countRows = (rows: Cell[][]): number =>
  rows.slice(1).filter((row) => row.some((cell) => cell !== null && cell !== '')).length;

describe('the sidebar in the playground', { timeout: 90_000 }, () => {
  it('writes a search with links to a new sheet', async () => {
    const sheet = open();
    await openTab('Search');
    await eventually(price).toMatch(
      /^[\d,]+ compan(y matches|ies match) · \d+ rows? (costs? \d+ credits|(is|are) free)$/,
    );
    await sheet.sidebar.getByText('Name and source').click();
    await sheet.sidebar.getByLabel('Name', { exact: true }).fill('Found');
    await sheet.press(/^Write \d+ rows/, /^Done/);
    const rows = await sheet.read('A1:I30', 'Found');
    expect(countRows(rows)).toBe(20);

    const column = rows[0]?.indexOf('Current profile URL') ?? -1;
    const card = sheet.page.getByRole('region', { name: /^Links in / });
    const anchor = card.getByRole('link');
    const isLinkFocused = (): Promise<boolean> =>
      sheet.page.evaluate("document.activeElement.tagName === 'A'");
    await sheet.goTo(`${String.fromCharCode(65 + column)}2`);
    await eventually(() => sheet.status()).toMatch(/^[A-Z]2: Press Alt\+Enter to open the link\./);
    const link = (await anchor.getAttribute('href')) ?? '';
    expect(link).toContain(String(rows[1]?.[column]));
    await sheet.page.context().route(link, (route) => route.fulfill({ body: 'there' }));
    const opened = sheet.page.context().waitForEvent('page');
    await anchor.click();
    const page = await opened;
    await page.waitForLoadState();
    expect([page.url(), await page.evaluate('String(window.opener)')]).toEqual([link, 'null']);
    await page.close();
    await sheet.page.keyboard.press('ArrowDown');
    await eventually(() => card.getAttribute('aria-label')).toMatch(/3$/);
    await sheet.page.keyboard.press('Alt+Enter');
    expect(await isLinkFocused()).toBe(true);
    await sheet.page.keyboard.press('Escape');
    await eventually(() => card.count()).toBe(0);
    expect(await isLinkFocused()).toBe(false);
    // The link belongs to the text: typed text has none.
    await sheet.page.keyboard.type('typed');
    await sheet.page.keyboard.press('Enter');
    await sheet.page.keyboard.press('ArrowUp');
    await eventually(() => sheet.status()).toBe('');
    await sheet.closeReport();
  });

  it('enriches a column of websites', async () => {
    const sheet = open();
    await sheet.openSheet('Companies');
    await openTab('Enrich');
    await sheet.sidebar.getByLabel(matchSpaces(/^Companies: A · Website/)).check();
    await eventually(price).toMatch(/^\d+ rows · (?:\d+ credits?|free(?:, already looked up)?)$/);
    await sheet.press(/^Enrich \d+ rows/, /^Done/);
    await sheet.text(/1 not found/).waitFor();
    await sheet.closeReport();
    const rows = await sheet.read('A2:G13');
    expect(rows.map((row) => row[6])).toEqual(rows.map((row) => row[1]));
  });

  it('restores formulas, dates, styles and links on Undo; bought rows are free', async () => {
    const sheet = open();
    const form = sheet.sidebar.locator('#panel-search');
    const readState = async () => [await sheet.read('J1:S25'), await sheet.readStyles('J1:S25')];
    await openTab('Search');
    await form.getByLabel('Name', { exact: true }).fill('Again');
    await sheet.type('K2', '=1+1');
    await sheet.type('L2', '2026-01-05');
    await sheet.type('M2', 'mine');
    await sheet.shows('K2', [[2]]);
    await sheet.goTo('K2:M3');
    await sheet.page.keyboard.press('Control+b');
    const bold = { fontWeight: 'bold', format: 'yyyy-mm-dd' };
    await eventually(async () => (await sheet.readStyles('L2'))[0]?.[0]).toEqual(bold);
    const before = await readState();
    await sheet.goTo('K2');
    await form.getByLabel('Selected cell', { exact: true }).check();
    await form.getByLabel('Add a source column').selectOption({ label: 'As a note on the first cell' });
    await sheet.button(/^Write \d+ rows/).click(PATIENCE);
    await sheet.press('Replace cells', /^Done/);
    await sheet.text(/^20 rows · 0 credits charged · \d+ credits of data reused/).waitFor();
    const written = (await sheet.readStyles('K2:S3')).flat();
    expect(written.some(({ note }) => note?.endsWith('credits'))).toBe(true);
    expect(written.some(({ links }) => links !== undefined)).toBe(true);
    await sheet.press('Undo', /^Undone/);
    await eventually(readState).toEqual(before);
    await sheet.closeReport();
  });

  it('explains cells that are no website in their notes, reads them as names, and finds no manual change', async () => {
    const sheet = open();
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

  it('orders in bulk, follows the order and writes its rows', async () => {
    const sheet = open();
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
    const [, title] =
      /on sheet “(.*?)”\. /.exec((await sheet.text(/^30 rows arrived/).textContent()) ?? '') ?? [];
    expect(countRows(await sheet.read('A1:F60', title))).toBe(30);
    // The table orders the same records again, which the team now has.
    await openTab('Tables');
    await sheet.button(/^Order again/).click();
    await eventually(price).toBe('30 records · all already bought (free)');
    await sheet.press(/^Order 30 records · free$/, /^Your team already bought all these records/);
  });

  it('is isolated from the page and the instance', async () => {
    const results = await evaluateInFrame<string[]>(`(async () => {
      const attempts = [() => String(self.origin), () => parent.document.title, () => localStorage.length,
        async () => (await fetch('/playground/session')).status];
      const results = [];
      for (const attempt of attempts) {
        try { results.push(String(await attempt())); } catch (error) { results.push(error.name); }
      }
      return results;
    })()`);
    expect(results).toEqual(['null', 'SecurityError', 'SecurityError', 'TypeError']);
    // The browser logs the blocked request.
    const isExpected = (fault: string) => /Content Security Policy|other host/.test(fault);
    expect(
      open()
        .faults.splice(0)
        .filter((fault) => !isExpected(fault)),
    ).toEqual([]);
  });

  it('supports overlapping calls, failure handlers and user objects like Google', async () => {
    const results = await evaluateInFrame<unknown[]>(
      `Promise.all(['status', 'tables', 'no_such_method', 'status'].map((method, at) => new Promise((resolve) => {
        google.script.run
          .withUserObject(at)
          .withFailureHandler((error, user) => resolve([user, error.name]))
          .withSuccessHandler((answer, user) => resolve([user, JSON.parse(answer).ok]))
          .cdapiSidebar(JSON.stringify({ method, payload: {} }));
      })).concat(new Promise((resolve) => {
        google.script.run.withFailureHandler((error) => resolve(error.name)).noSuchFunction();
      })))`,
    );
    expect(results).toEqual([[0, true], [1, true], [2, false], [3, true], 'TypeError']);
  });

  it('reopens with its last tab and shows the same balance as footer and formula', async () => {
    const sheet = open();
    await openTab('Activity');
    await sheet.text('Your team’s recent runs').waitFor();
    const toggle = sheet.page.getByRole('button', { name: 'Sidebar', exact: true });
    await toggle.click();
    await eventually(() => sheet.page.locator('#sidebar iframe').count()).toBe(0);
    await toggle.click();
    const left = sheet.sidebar.locator('#panel-activity dt', { hasText: 'Left' }).locator('+ dd');
    await left.waitFor();
    const readFooter = async () =>
      /([\d,]+) credits left/.exec((await sheet.page.locator('#activity').textContent()) ?? '')?.[1];
    await eventually(readFooter).toBe(await left.textContent());
    const shares = (await sheet.text(/ spent today \(UTC\): /).textContent()) ?? '';
    const [total = 0, ...parts] = (shares.match(/[\d,]+/g) ?? []).map((each) =>
      Number(each.replace(/,/g, '')),
    );
    expect(parts.reduce((sum, each) => sum + each, 0)).toBe(total);
    const today = `${total.toLocaleString('en')} `;
    await sheet.text(`${today}of 1,000,000 credits`).waitFor();
    await eventually(() => sheet.page.locator('#activity').textContent()).toContain(
      `Your team today: ${today}credits`,
    );
    expect(await sheet.sidebar.locator('.chart g:last-child title').textContent()).toContain(
      `: ${today}credits spent`,
    );
    await sheet.openSheet('Companies');
    await sheet.type('T1', '=CDAPI_CREDITS()');
    await sheet.shows('T1', [[Number((await left.textContent())?.replace(/,/g, ''))]]);
  });
});
