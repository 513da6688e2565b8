// Pictures of the sidebar in states that the playground does not have: the company's connection, and a person's own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { companyDomainProperty, companyProperty } from '../../shared/connection.ts';
import { buildAddon } from '../../worker/commands/build/addon.ts';
import { TOKENS, toLink } from '../addon/company-accounts.ts';
import { gateway } from '../addon/server/sidebar.ts';
import { readBuiltAddon } from '../addon/spreadsheet.ts';
import { takePicture } from './picture.ts';
import { type ServedSidebar, type SidebarOptions, setUpSidebars } from './sidebar.ts';

const GATEWAY = 'https://gateway.example';

const openSidebar = setUpSidebars();

let release: SidebarOptions = {};
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cdapi-pictures-'));
  await buildAddon({ outDir: folder, gateway: GATEWAY, identity: true });
  release = { ...(await readBuiltAddon(folder)), identityToken: async () => 'identity token' };
});
afterAll(() => rm(folder, { recursive: true }));

const company = {
  properties: {
    document: {},
    script: { [companyProperty]: toLink(TOKENS.company, GATEWAY), [companyDomainProperty]: '*' },
  },
};

const PICTURES: Readonly<Record<string, () => Promise<ServedSidebar>>> = {
  'connected-by-company': async () => {
    const sidebar = await openSidebar({ ...company, tab: 'activity' });
    await sidebar.page.getByText(/^You use your company’s connection/).scrollIntoViewIfNeeded();
    return sidebar;
  },
  'disconnected-from-company': async () => {
    const sidebar = await openSidebar({ ...company, tab: 'activity' });
    await sidebar.button('Disconnect').click();
    await sidebar.confirm('Disconnect');
    await sidebar.button('Use your company’s connection').waitFor();
    return sidebar;
  },
  'connected-by-account': async () => {
    const expires = '2027-01-01T00:00:00Z';
    gateway.answer('POST sign-in', () => ({ token: TOKENS.person, team: 'Sales', expires_at: expires }));
    const sidebar = await openSidebar({ ...release, properties: { document: {} } });
    await sidebar.shows(/^You are connected/);
    return sidebar;
  },
};

it.each(Object.entries(PICTURES))('%s', async (name, show) => {
  const sidebar = await show();
  await sidebar.settle();
  await takePicture(sidebar.page, name);
});
