// The menu, the sidebar and the open trigger.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostOptions } from '../../../addon/dev/host/types.ts';
import { addonDist } from '../../../worker/commands/paths.ts';
import { TestGateway } from '../gateway.ts';
import { Grid } from '../grid.ts';
import { callSidebarOk, createResponse, openSpreadsheet } from '../spreadsheet.ts';

const open = (options: Partial<HostOptions> = {}) => openSpreadsheet(options, 'YES');

const MENU = [
  ['Open sidebar', 'openSidebar'],
  ['Connect', 'connect'],
  ['Disconnect', 'disconnect'],
  ['Refresh selection', 'refreshSelection'],
  ['Selection', 'freezeSelection'],
  ['This sheet', 'freezeSheet'],
  ['Complete rows on opening', 'completeOnOpening'],
  ['Help', 'help'],
];

describe('the menu', () => {
  it.each(['onOpen', 'onInstall'])('is created by %s before authorisation', async (name) => {
    // Before authorisation there are no properties.
    const { host, requests: sent } = await open({ properties: {} });
    await host.run(name, [{ authMode: 'NONE' }], 'open', { authMode: 'NONE' });
    const items =
      host.menus[0]?.items.flatMap((item) => (item.kind === 'menu' ? item.menu.items : item)) ?? [];
    expect(
      items.flatMap((item) => (item.kind === 'item' ? [[item.caption, item.functionName]] : [])),
    ).toEqual(name === 'onOpen' ? [['Use formulas here', 'useFormulas'], ...MENU] : MENU);
    expect(host.menus).toMatchObject([{ addon: true }]);
    expect([sent, host.properties]).toEqual([[], { script: {}, document: {}, user: {} }]);
  });

  it('offers formulas only where nobody has used the add-on yet: using it is enough', async () => {
    const { host, listMessages } = await open();
    await host.run('onOpen', [{}], 'open');
    expect(JSON.stringify(host.menus)).not.toContain('useFormulas');
    await host.run('useFormulas');
    expect(listMessages()).toEqual([expect.stringMatching(/now work in this spreadsheet.*#NAME\?, reload/)]);
  });

  it('shows the sidebar with its title', async () => {
    const page = await readFile(join(addonDist, 'Sidebar.html'), 'utf8');
    const { host, shown } = await open();
    await host.run('openSidebar');
    expect(shown).toEqual([{ kind: 'sidebar', title: 'CDAPI', html: page }]);
  });

  it('exposes one function to the sidebar', async () => {
    const { host } = await open({ fetch: new TestGateway().fetch });
    expect(await callSidebarOk({ host }, 'status')).toMatchObject({ connection: { for: 'sheet' } });
    expect(JSON.parse(String(await host.call('cdapiSidebar', ['{'])))).toMatchObject({ ok: false });
  });
});

describe('Help', () => {
  it('explains the error word in the selected cell, and leads to its entry', async () => {
    const grid = new Grid([['#BUDGET', 'Acme']]);
    const { host, listMessages } = await openSpreadsheet(grid.options);
    grid.select('A1');
    await host.run('help');
    grid.select('B1');
    await host.run('help');
    const [error, general] = listMessages();
    expect(error).toMatch(/^A1 shows #BUDGET:\n• The budget for this call is used up\. /);
    expect(error).toMatch(/\nMore: https:\/\/\S+\/help#budget$/);
    expect(general).toMatch(/^=CDAPI_ENRICH/);
    expect(general).toMatch(/\/help$/);
  });
});

describe('completing rows on opening', () => {
  const VIEWER = 'viewer@team.example';
  const waiting = () => new Grid([['a.com', '=CDAPI_ENRICH(A1, "name")']]);
  const fetching = () => {
    let calls = 0;
    const fetch: HostOptions['fetch'] = async () => {
      calls += 1;
      const row =
        calls === 1
          ? { key: 'a.com', status: 'pending', problem: 'pending', credits: 0 }
          : { key: 'a.com', status: 'hit', record: { name: 'Acme' }, credits: 0 };
      return createResponse(200, {
        rows: [row],
        credits: { spent: 0, saved: 0, remaining: null },
        stamp: '1',
      });
    };
    return fetch;
  };

  it('is off by default', async () => {
    const grid = waiting();
    const { host } = await open({ ...grid.options, fetch: fetching() });
    await grid.calculate(host);
    expect(host.triggers).toEqual([]);
    expect(await host.runOpenTriggers()).toEqual([]);
    expect(grid.values('B1')).toEqual([['#PENDING']]);
  });

  it('runs on the next opening after it is switched on, until it is switched off', async () => {
    const grid = waiting();
    const { host, listMessages: said } = await open({ ...grid.options, fetch: fetching() });
    await grid.calculate(host);
    await host.run('completeOnOpening');
    expect(host.triggers).toMatchObject([{ functionName: 'cdapiOnOpen', user: VIEWER, event: 'ON_OPEN' }]);
    expect(await host.runOpenTriggers()).toMatchObject([{ error: null }]);
    await grid.calculate(host);
    expect(grid.values('B1')).toEqual([['Acme']]);
    await host.run('completeOnOpening');
    expect(host.triggers).toEqual([]);
    expect(said()).toEqual([
      expect.stringMatching(/^When this spreadsheet opens, complete #PENDING rows/),
      expect.stringMatching(/^Switched on/),
      expect.stringMatching(/^This is on for you.* Switch it off\?$/),
      'Switched off.',
    ]);
  });

  it('is a setting of each user', async () => {
    const { host } = await open();
    await host.run('completeOnOpening');
    host.updateSettings({ people: { owner: 'owner@team.example', viewer: 'third@team.example' } });
    await host.run('completeOnOpening');
    const [first, second] = [VIEWER, 'third@team.example'];
    expect(host.triggers.map(({ user }) => user)).toEqual([first, second]);
  });
});
