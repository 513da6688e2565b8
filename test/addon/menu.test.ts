// The menu: what it offers, to whom, and the items that only show or switch something.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { HostOptions, UiAnswer, UiRequest } from '../../addon/host/types.ts';
import { formulas } from '../../shared/formulas.ts';
import { addonDist } from '../../worker/commands/paths.ts';
import { Grid } from './grid.ts';
import { answer, openSpreadsheet, type Spreadsheet } from './spreadsheet.ts';

let opened: Spreadsheet[] = [];
afterEach(() => {
  for (const { host } of opened) host.close();
  opened = [];
});

async function open(options: Partial<HostOptions> = {}, button: UiAnswer['button'] = 'YES') {
  const shown: UiRequest[] = [];
  const spreadsheet = await openSpreadsheet({
    ...options,
    onUi: (request) => {
      shown.push(request);
      return { button };
    },
  });
  opened.push(spreadsheet);
  const said = (): string[] =>
    shown.flatMap((request) =>
      'prompt' in request ? [request.prompt] : 'message' in request ? [request.message] : [],
    );
  return { ...spreadsheet, shown, said };
}

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
  it.each(['onOpen', 'onInstall'])('is made by %s before anybody has agreed to anything', async (name) => {
    // Without a document and its properties, as before the add-on was first used: all that it touches is the menu.
    const { host, sent } = await open({ properties: {} });
    await host.run(name, [{ authMode: 'NONE' }], 'open', { authMode: 'NONE' });
    const items =
      host.menus[0]?.items.flatMap((item) => (item.kind === 'menu' ? item.menu.items : item)) ?? [];
    expect(
      items.flatMap((item) => (item.kind === 'item' ? [[item.caption, item.functionName]] : [])),
    ).toEqual(MENU);
    expect(host.menus).toMatchObject([{ addon: true }]);
    expect([sent, host.properties]).toEqual([[], { script: {}, document: {}, user: {} }]);
  });

  it('names functions that are there', async () => {
    const { host } = await open();
    const names = host.functions.map(({ name }) => name);
    expect(MENU.map(([, name]) => name).filter((name) => !names.includes(name ?? ''))).toEqual([]);
  });

  it('shows the sidebar with its title', async () => {
    const page = await readFile(join(addonDist, 'Sidebar.html'), 'utf8');
    const { host, shown } = await open();
    await host.run('openSidebar');
    expect(shown).toEqual([{ kind: 'sidebar', title: 'CDAPI', html: page }]);
  });

  it('lets the sidebar’s page ask through one function, text for text', async () => {
    const { host } = await open();
    const reply = await host.call('cdapiSidebar', [JSON.stringify({ method: 'status', payload: {} })]);
    expect(JSON.parse(String(reply))).toMatchObject({ ok: true, value: { connection: { for: 'sheet' } } });
    expect(JSON.parse(String(await host.call('cdapiSidebar', ['{'])))).toMatchObject({ ok: false });
  });

  it('helps with formulas that there are', async () => {
    const { host, said } = await open();
    await host.run('help');
    const [text = ''] = said();
    const named = text.match(/CDAPI_[A-Z]+/g) ?? [];
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !formulas.some((formula) => formula.name === name))).toEqual([]);
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
      return answer(200, { rows: [row], credits: { spent: 0, saved: 0, remaining: null }, stamp: '1' });
    };
    return fetch;
  };

  it('is off until someone switches it on', async () => {
    const grid = waiting();
    const { host } = await open({ ...grid.options, fetch: fetching() });
    await grid.calculate(host);
    expect(host.triggers).toEqual([]);
    expect(await host.fire('ON_OPEN')).toEqual([]);
    expect(grid.values('B1')).toEqual([['#PENDING']]);
  });

  it('runs, once switched on, when the spreadsheet is opened next, and no more once switched off', async () => {
    const grid = waiting();
    const { host, said } = await open({ ...grid.options, fetch: fetching() });
    await grid.calculate(host);
    await host.run('completeOnOpening');
    expect(host.triggers).toMatchObject([{ functionName: 'cdapiOnOpen', user: VIEWER, event: 'ON_OPEN' }]);
    expect(await host.fire('ON_OPEN')).toMatchObject([{ error: null }]);
    await grid.calculate(host);
    expect(grid.values('B1')).toEqual([['Acme']]);
    await host.run('completeOnOpening');
    expect(host.triggers).toEqual([]);
    expect(said()).toEqual([
      expect.stringMatching(/^Complete #PENDING rows by themselves/),
      expect.stringMatching(/^Switched on/),
      expect.stringMatching(/^This is switched on for you.* Switch it off\?$/),
      'Switched off.',
    ]);
  });

  it('is asked first: No changes nothing', async () => {
    const { host } = await open({}, 'NO');
    await host.run('completeOnOpening');
    expect(host.triggers).toEqual([]);
  });

  it('switched on twice at the same time is switched on once', async () => {
    const said: string[] = [];
    let asked = 0;
    let both: () => void = () => undefined;
    const bothAsked = new Promise<void>((resolve) => {
      both = resolve;
    });
    const twice = await openSpreadsheet({
      onUi: async (request) => {
        if (request.kind === 'toast') said.push(request.message);
        if (request.kind !== 'alert') return undefined;
        said.push(request.prompt);
        asked += 1;
        if (asked === 2) both();
        await bothAsked;
        return { button: 'YES' };
      },
    });
    opened.push(twice);
    await Promise.all([twice.host.run('completeOnOpening'), twice.host.run('completeOnOpening')]);
    expect(twice.host.triggers).toHaveLength(1);
    expect(said.slice(2)).toEqual(Array(2).fill(expect.stringMatching(/^Switched on/)));
  });

  it('of one person is not that of another', async () => {
    const { host } = await open();
    await host.run('completeOnOpening');
    host.change({ people: { owner: 'owner@team.example', viewer: 'third@team.example' } });
    await host.run('completeOnOpening');
    expect(host.triggers.map(({ user }) => user)).toEqual([VIEWER, 'third@team.example']);
  });

  it('that Google refuses says so in a sentence', async () => {
    const { host, said } = await open({
      manifest: {
        oauthScopes: [
          'https://www.googleapis.com/auth/spreadsheets.currentonly',
          'https://www.googleapis.com/auth/script.container.ui',
        ],
      },
    });
    await host.run('completeOnOpening');
    expect(said()).toEqual([expect.stringMatching(/^Specified permissions are not sufficient/)]);
  });
});
