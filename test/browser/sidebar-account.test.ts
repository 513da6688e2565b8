// The sidebar of a person who connects through a Google account: the first opening, refusals, and after disconnecting.
import { expect, it } from 'vitest';
import type { Status } from '../../addon/server/api/index.ts';
import { createProblem } from '../../shared/problems.ts';
import { eventually } from './browser.ts';
import { answers, disconnected, status } from './sidebar-answers.ts';
import { type CannedSidebar, setUpCanned } from './sidebar-canned.ts';

const open = setUpCanned(answers);

const connected = (isNew: boolean): Status => ({
  ...status,
  connection: status.connection && { ...status.connection, for: 'identity', ...(isNew ? { isNew } : {}) },
});

async function expectAccessible(sidebar: CannedSidebar): Promise<void> {
  expect(await sidebar.findings()).toEqual([]);
  await eventually(() => sidebar.overflow()).toBe(0);
}

it.each(['light', 'dark'] as const)('shows once which team pays, and the data terms: %s', async (theme) => {
  const sidebar = await open({ status: () => connected(true), confirmAccount: () => connected(false) });
  await sidebar.setTheme(theme);
  await sidebar.shows('You are connected');
  await sidebar.shows('Sales');
  await sidebar.shows(/460 credits/);
  await sidebar.shows(/for your company’s own use/);
  await sidebar.shows(/Your admin can see/);
  await expectAccessible(sidebar);
  await eventually(() => sidebar.page.getByRole('tab').count()).toBe(0);
  await sidebar.button('Start').click();
  await sidebar.tab('Search').waitFor();
  await eventually(() => sidebar.sent('confirmAccount')).toHaveLength(1);
});

it.each(['domain_not_assigned', 'person_revoked', 'sign_in_refused'] as const)(
  'says why the account can’t connect, leads to troubleshooting, offers another try and a link: %s',
  async (code) => {
    const { detail, fix } = createProblem(code);
    const failure = { code, message: `${detail} ${fix}` };
    const helpUrl = 'https://gateway.example/help';
    const sidebar = await open({ status: () => ({ ...disconnected, failure, helpUrl }) });
    await sidebar.shows(detail);
    const help = sidebar.page.getByRole('link', { name: 'Troubleshooting' }).first();
    await eventually(() => help.getAttribute('href')).toBe(`${helpUrl}#${code}`);
    await sidebar.field('Connection link').waitFor();
    await expectAccessible(sidebar);
    await sidebar.button('Try again').click();
    await expect.poll(() => sidebar.sent('status').length).toBe(2);
  },
);

it('offers the account to a person who disconnected', async () => {
  const sidebar = await open({
    status: () => ({ ...disconnected, canConnectAccount: true }),
    connectAccount: () => connected(false),
  });
  await sidebar.shows(/You disconnected/);
  await expectAccessible(sidebar);
  await sidebar.button('Connect with your Google account').click();
  await sidebar.tab('Activity').click();
  await sidebar.shows(/connected through your Google account/);
  await sidebar.button('Disconnect').click();
  await sidebar.shows('Disconnect you only? Tables and values stay.');
});
