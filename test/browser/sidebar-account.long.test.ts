// The sidebar of a release that connects people through their Google accounts: the first opening, refusals, disconnecting.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProblem } from '../../shared/problems.ts';
import { buildAddon } from '../../worker/commands/build/addon.ts';
import { gateway } from '../addon/server/sidebar.ts';
import { readBuiltAddon } from '../addon/spreadsheet.ts';
import { eventually } from './browser.ts';
import { type ServedSidebar, setUpSidebars } from './sidebar.ts';

const GATEWAY = 'https://gateway.example';

let folder = '';
let release: Awaited<ReturnType<typeof readBuiltAddon>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cdapi-account-'));
  await buildAddon({ outDir: folder, gateway: GATEWAY, identity: true });
  release = await readBuiltAddon(folder);
});
afterAll(() => rm(folder, { recursive: true }));

const openSidebar = setUpSidebars({
  tab: 'search',
  properties: { document: {} },
  identityToken: async () => 'identity token',
});
const open = () => openSidebar(release);

const signIn = (): void =>
  gateway.answer('POST sign-in', () => ({
    ...{ token: 'token of a person', team: 'Sales', expires_at: '2027-01-01T00:00:00Z' },
  }));

async function expectAccessible(sidebar: ServedSidebar): Promise<void> {
  expect(await sidebar.findings()).toEqual([]);
  await eventually(() => sidebar.overflow()).toBe(0);
}

it('shows once which team pays, and the data terms, and offers the account to a person who disconnected', async () => {
  signIn();
  const sidebar = await open();
  await sidebar.shows('You are connected');
  await sidebar.shows('Sales');
  await sidebar.shows(/460 credits/);
  await sidebar.shows(/for your company’s own use/);
  await sidebar.shows(/Your admin can see/);
  for (const theme of ['light', 'dark'] as const) {
    await sidebar.setTheme(theme);
    await expectAccessible(sidebar);
  }
  await eventually(() => sidebar.page.getByRole('tab').count()).toBe(0);
  await sidebar.button('Start').click();
  await sidebar.tab('Activity').click();
  await sidebar.shows(/connected through your Google account/);
  await sidebar.button('Disconnect').click();
  await sidebar.shows('Disconnect you only? Tables and values stay.');
  await sidebar.confirm('Disconnect');
  await sidebar.shows(/You disconnected/);
  await expectAccessible(sidebar);
  const again = await openSidebar({ server: sidebar.server });
  await again.button('Connect with your Google account').click();
  await again.shows('You are connected');
  await again.button('Start').click();
  await again.price().toMatch(/20 rows cost/);
});

it.each(['domain_not_assigned', 'person_revoked', 'sign_in_refused'] as const)(
  'says why the account can’t connect, leads to troubleshooting, offers another try and a link: %s',
  async (code) => {
    gateway.refuse('POST sign-in', code);
    const sidebar = await open();
    await sidebar.shows(createProblem(code).detail);
    const help = sidebar.page.getByRole('link', { name: 'Troubleshooting' }).first();
    await eventually(() => help.getAttribute('href')).toBe(`${GATEWAY}/help#${code}`);
    await sidebar.field('Connection link').waitFor();
    await expectAccessible(sidebar);
    await sidebar.settle();
    signIn();
    await sidebar.button('Try again').click();
    await sidebar.shows('You are connected');
  },
);
