// The sidebar in the playground: Undo and links in the grid, its isolation, and calls of its script as in Google.
import { describe, expect, it } from 'vitest';
import { eventually, PATIENCE } from './browser.ts';
import { setUpPlayground } from './spreadsheet.ts';

const open = setUpPlayground();
const openTab = (name: string) => open().sidebar.getByRole('tab', { name }).click();
const evaluateInFrame = <T>(script: string): Promise<T> | undefined =>
  open()
    .page.frames()
    .find((frame) => frame.url().endsWith('/sidebar'))
    ?.evaluate<T>(script);

describe('the sidebar in the playground', { timeout: 90_000 }, () => {
  it('restores formulas, dates, styles and links on Undo; rows that it wrote again for free have links', async () => {
    const sheet = open();
    const form = sheet.sidebar.locator('#panel-search');
    const readState = async () => [await sheet.read('J1:S25'), await sheet.readStyles('J1:S25')];
    await openTab('Search');
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
    await form.getByText('Name and source').click();
    await form.getByLabel('Add a source column').selectOption({ label: 'As a note on the first cell' });
    await sheet.button(/^Write \d+ rows/).click(PATIENCE);
    await sheet.press('Replace', /^Done/);
    const written = (await sheet.readStyles('K2:S3')).flat();
    expect(written.some(({ note }) => note?.endsWith('credits'))).toBe(true);
    expect(written.some(({ links }) => links !== undefined)).toBe(true);
    await sheet.press('Undo', /^Undone/);
    await eventually(readState).toEqual(before);
    await sheet.closeReport();
    await sheet.button(/^Write 20 rows · free$/).click(PATIENCE);
    await sheet.press('Replace', /^Done/);
    await sheet.text(/^20 rows · 0 credits charged · \d+ credits of data reused/).waitFor();

    const [headings = [], first = []] = await sheet.read('K2:S3');
    const at = headings.indexOf('Current profile URL');
    const card = sheet.page.getByRole('region', { name: /^Links in / });
    const anchor = card.getByRole('link');
    const isLinkFocused = (): Promise<boolean> =>
      sheet.page.evaluate("document.activeElement.tagName === 'A'");
    await sheet.goTo(`${String.fromCharCode('K'.charCodeAt(0) + at)}3`);
    await eventually(() => sheet.status()).toMatch(/^[A-Z]3: Press Alt\+Enter to open the link\./);
    const link = (await anchor.getAttribute('href')) ?? '';
    expect(link).toContain(String(first[at]));
    await sheet.page.context().route(link, (route) => route.fulfill({ body: 'there' }));
    const opened = sheet.page.context().waitForEvent('page');
    await anchor.click();
    const page = await opened;
    await page.waitForLoadState();
    expect([page.url(), await page.evaluate('String(window.opener)')]).toEqual([link, 'null']);
    await page.close();
    await sheet.page.keyboard.press('ArrowDown');
    await eventually(() => card.getAttribute('aria-label')).toMatch(/4$/);
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

  it('reopens with its last tab, and shows the same balance as the footer', async () => {
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
  });
});
