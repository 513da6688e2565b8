// The admin console in Chromium: by keyboard, and with two admins at once. A long suite visits every page.
import type { Browser } from 'playwright-core';
import { beforeAll, expect, inject, it } from 'vitest';
import { longIt } from '../pick-cases.ts';
import { eventually, shareBrowser } from './browser.ts';
import { signIn } from './console-pages.ts';
import { callGateway } from './spreadsheet.ts';

const session = inject('session');
let browser: Browser;
beforeAll(async () => {
  browser = await shareBrowser();
});

it('a team is created by keyboard, with its mistakes explained, and another admin sees it at once', async () => {
  const [context, other] = [await browser.newContext(), await browser.newContext()];
  const [page, colleague] = [await signIn(context), await signIn(other)];
  await page.goto(`${session.url}/console/new-team`);
  await page.getByLabel('Name').focus();
  await page.keyboard.type('Keyboard team');
  await page.keyboard.press('Tab');
  await page.keyboard.type('many');
  await page.keyboard.press('Enter');
  await eventually(() => page.getByRole('alert').textContent()).toContain('“many” is not a whole number.');
  await eventually(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Keyboard team');
  await page.getByLabel('Credits per day').fill('2,500');
  await page.keyboard.press('Enter');
  await page.getByRole('status').waitFor();
  await colleague.goto(`${session.url}/console/teams`);
  await eventually(() => colleague.locator('body').textContent()).toMatch(/Keyboard team.*of 2,500/);
  await Promise.all([context.close(), other.close()]);
});

longIt('a company is looked up, erased and refused, and its key is in no address', async () => {
  const context = await browser.newContext();
  const page = await signIn(context);
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  const key = 'console-erases.example';
  await callGateway('lookup', { family: 'company_clean', by: 'website', keys: [key] });
  const lookUp = async () => {
    await page.getByRole('link', { name: 'Records' }).click();
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Look it up' }).click();
  };
  await lookUp();
  await page.getByRole('button', { name: 'See what would be erased' }).click();
  await eventually(() => page.locator('main').textContent()).toContain('This can’t be undone.');
  await page.getByRole('button', { name: 'Erase it everywhere' }).click();
  await eventually(() => page.locator('#proof').textContent()).toContain('complete');
  await lookUp();
  await eventually(() => page.locator('main').textContent()).toContain(
    'erased: every look-up of it is refused',
  );
  expect(addresses.filter((address) => address.includes('console-erases'))).toEqual([]);
  await context.close();
});
