// Connect and Disconnect, for the spreadsheet or one user.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import type { HostOptions, UiAnswer, UiRequest } from '../../../addon/dev/host/types.ts';
import { connectionProperty } from '../../../shared/connection.ts';
import { buildAddon } from '../../../worker/commands/build/addon.ts';
import { longIt } from '../../pick-cases.ts';
import {
  createResponse,
  openSpreadsheet,
  readBuiltAddon,
  realFetch,
  type Spreadsheet,
} from '../spreadsheet.ts';

const OWNER = 'owner@team.example';
const VIEWER = 'viewer@team.example';
const session = inject('session');
const LINK = `${session.url}/connect#${session.team_token}`;
const KEPT = JSON.stringify({ url: session.url, token: session.team_token });
const COPY = `${connectionProperty}:workbook`;
const ACCOUNT = {
  team: 'Sales',
  budget: { day: 500, month: null },
  spent: { day: 0, month: 0 },
  saved: { day: 0, month: 0 },
  remaining: 420,
  spending: true,
  mode: 'live',
  scopes: { families: null, operations: null },
  stamp: '1',
};
const ROW = { rows: [{ key: 'a.com', status: 'hit', record: { name: 'Acme' }, credits: 0 }] };
const RECORD = { ...ROW, credits: { spent: 0, saved: 10, remaining: null }, stamp: '1' };

/** A gateway that accepts every token. */
const accepting: HostOptions['fetch'] = async ({ url }) =>
  createResponse(200, url.endsWith('/me') ? ACCOUNT : RECORD);

type Dialog = Extract<UiRequest, { kind: 'alert' | 'prompt' }>;

interface Person extends Spreadsheet {
  /** Shown dialogs, in order. */
  shown: Dialog[];
  /** Sets the answers to dialogs. */
  answers: (answer: (dialog: Dialog) => UiAnswer | undefined) => void;
}

/** Opens an unconnected spreadsheet with scripted dialog answers. */
async function open(options: Partial<HostOptions> = {}): Promise<Person> {
  const shown: Dialog[] = [];
  let answering: (dialog: Dialog) => UiAnswer | undefined = () => ({ button: 'CANCEL' });
  const spreadsheet = await openSpreadsheet({
    properties: { document: {} },
    fetch: accepting,
    ...options,
    onUi: (request) => {
      if (request.kind !== 'alert' && request.kind !== 'prompt') return undefined;
      shown.push(request);
      return answering(request);
    },
  });
  return {
    ...spreadsheet,
    shown,
    answers: (answer) => {
      answering = answer;
    },
  };
}

/** Pastes a link and connects the spreadsheet (YES), the user (NO), or nothing. */
const pastes =
  (button: UiAnswer['button'], link = LINK) =>
  (dialog: Dialog): UiAnswer => {
    if (dialog.kind === 'prompt') return { button: 'OK', text: link };
    return { button: dialog.buttons === 'YES_NO_CANCEL' ? button : 'OK' };
  };

const connect = async (person: Person, ...how: Parameters<typeof pastes>) => {
  person.answers(pastes(...how));
  await person.host.run('connect', [], 'menu');
};
const name = (person: Person) => person.evaluate('CDAPI_ENRICH', 'a.com', 'name');
const last = (person: Person) => person.shown.at(-1)?.prompt ?? '';

describe('connecting this sheet', () => {
  it('verifies the link, shows team and budget, and suggests a working formula', async () => {
    const sandbox = async () => createResponse(200, { ...ACCOUNT, mode: 'sandbox' });
    const person = await open({ fetch: sandbox });
    await connect(person, 'YES');
    const [link, whom, done] = person.shown;
    expect(person.shown).toHaveLength(3);
    expect(link).toMatchObject({ kind: 'prompt', buttons: 'OK_CANCEL' });
    expect(link?.prompt).toContain('do not sell it, publish it or pass copies on');
    expect(whom?.prompt).toMatch(/credits a day/);
    expect(whom?.prompt).toContain('fictional');
    expect(whom?.prompt).toMatch(/every editor then spends from the budget of/);
    expect(done?.prompt).toMatch(/=CDAPI_ENRICH\(A2\).* costs 10 credits\./);
  });

  it('stores the connection for the document and the user, and shows the token nowhere', async () => {
    const lines: string[] = [];
    const person = await open({ onLog: ({ text }) => lines.push(text) });
    await connect(person, 'YES');
    const { document, user } = person.host.properties;
    expect(document).toEqual({ [connectionProperty]: KEPT });
    expect(user?.[VIEWER]).toMatchObject({ [COPY]: KEPT });
    expect(await name(person)).toEqual({ values: [['Acme']] });
    expect(person.requests.map(({ url }) => url.replace(session.url, ''))).toEqual([
      '/sheets/v1/me',
      '/sheets/v1/lookup',
    ]);
    const seen = JSON.stringify([
      person.shown,
      lines,
      person.host.workbook,
      person.requests.map(({ url, body }) => [url, String(body)]),
    ]);
    expect(seen).not.toContain(session.team_token);
  });

  it('uses the owner’s copy when formulas have no document properties', async () => {
    const person = await open({ documentInFormulas: false });
    await connect(person, 'YES');
    expect(last(person)).toContain(`its owner, ${OWNER}, must connect once in the same way`);
    expect(await name(person)).toMatchObject({
      error:
        'Not connected: formulas here need the owner of this spreadsheet to open Extensions → CDAPI → Connect.',
    });
    person.host.updateSettings({ people: { owner: OWNER, viewer: OWNER } });
    await connect(person, 'YES');
    person.host.updateSettings({ people: { owner: OWNER, viewer: VIEWER } });
    expect(await name(person)).toEqual({ values: [['Acme']] });
  });

  it.each<[string, Partial<HostOptions>, RegExp]>([
    ['is null', { people: { owner: null, viewer: VIEWER } }, /it is in a shared drive and has no owner/],
    ['can’t be read', { ownerFails: true }, /its owner must connect once in the same way/],
  ])('succeeds when the owner %s', async (_, options, hint) => {
    const person = await open(options);
    await connect(person, 'YES');
    expect(last(person)).toMatch(/^This spreadsheet is connected\./);
    expect(last(person)).toMatch(hint);
    expect(await name(person)).toEqual({ values: [['Acme']] });
  });

  it('does not connect other spreadsheets of the owner', async () => {
    const person = await open({
      properties: { document: null, user: { [OWNER]: { [`${connectionProperty}:another`]: KEPT } } },
    });
    expect(await name(person)).toMatchObject({ error: expect.stringMatching(/^Not connected/) });
    expect(person.requests).toEqual([]);
  });
});

describe('connecting only me', () => {
  it('stores the connection for the user, and formulas explain that', async () => {
    const person = await open({ people: { owner: OWNER, viewer: OWNER } });
    await connect(person, 'NO');
    expect(person.host.properties).toMatchObject({
      document: {},
      user: { [OWNER]: { [connectionProperty]: KEPT } },
    });
    expect(last(person)).toContain('Formulas stay unconnected');
    expect(await name(person)).toMatchObject({
      error:
        'Connected for the sidebar only: for formulas open Extensions → CDAPI → Connect and share the connection with this spreadsheet.',
    });
  });

  it('gives formulas in other people’s spreadsheets no budget', async () => {
    const person = await open();
    await connect(person, 'NO');
    expect(await name(person)).toMatchObject({ error: 'Not connected: open Extensions → CDAPI → Connect.' });
    expect(person.requests.map(({ url }) => url)).toEqual([`${session.url}/sheets/v1/me`]);
  });
});

describe('nothing is stored', () => {
  const kept = ({ host: { properties } }: Person) => [
    properties.document,
    Object.values(properties.user ?? {}).flatMap(Object.values),
  ];

  it.each([
    ['no link', 'hello', /not a connection link/],
    ['a cut link', LINK.slice(0, -2), /not a connection link/],
    [
      'a link to a foreign',
      `http://data.acme.example/connect#${session.team_token}`,
      /not a connection link/,
    ],
    ['a link of nobody', `http://127.0.0.1:1/connect#${session.team_token}`, /can't be reached/],
  ])('when the link is %s', async (_, link, sentence) => {
    const person = await open({ fetch: realFetch });
    await connect(person, 'YES', link);
    expect(person.shown).toHaveLength(2);
    expect(last(person)).toMatch(sentence);
    expect(JSON.stringify(person.shown)).not.toContain(link.split('#')[1] ?? link);
    expect(kept(person)[0]).toEqual({});
  });

  it.each<[string, HostOptions['fetch'], RegExp]>([
    [
      'says that the token has expired',
      async () =>
        createResponse(401, {
          code: 'unauthorised',
          detail: 'This token expired on 1 May.',
          fix: 'Ask for another.',
        }),
      /^This token expired on 1 May\. Ask for another\.$/,
    ],
    [
      'does not know the token',
      async () => createResponse(401, { code: 'unauthorised' }),
      /new connection link/,
    ],
    [
      'is a proxy’s page',
      async () => createResponse(200, '<html>'),
      /^A web page answered instead of the gateway/,
    ],
    ['is another service', async () => createResponse(200, { hello: 'world' }), /could not be read/],
    ['answers 500', async () => createResponse(500, 'oops'), /could not be read/],
  ])('when the gateway %s', async (_, fetch, sentence) => {
    const person = await open({ fetch });
    await connect(person, 'YES');
    expect(last(person)).toMatch(sentence);
    expect(kept(person)[0]).toEqual({});
  });
});

describe('disconnecting', () => {
  const disconnect = async (person: Person, button: UiAnswer['button']) => {
    person.answers(({ buttons }) => ({ button: buttons === 'YES_NO' ? button : 'OK' }));
    await person.host.run('disconnect', [], 'menu');
  };

  it('the spreadsheet stops its formulas despite the owner’s copy', async () => {
    const person = await open({
      properties: { document: { [connectionProperty]: KEPT }, user: { [OWNER]: { [COPY]: KEPT } } },
    });
    expect(await name(person)).toEqual({ values: [['Acme']] });
    await disconnect(person, 'YES');
    expect(person.shown[0]?.prompt).toMatch(/^Disconnect this spreadsheet for everybody\?/);
    person.host.clearResults();
    expect(await name(person)).toMatchObject({ error: 'Not connected: open Extensions → CDAPI → Connect.' });
    expect(JSON.stringify(person.host.properties.document)).not.toContain(session.team_token);
    await connect(person, 'YES');
    expect(await name(person)).toEqual({ values: [['Acme']] });
  });
});

longIt('a release accepts only links of its own gateway', async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'cdapi-release-'));
  try {
    await buildAddon({ outDir, gateway: 'https://data.acme.example' });
    const release = await readBuiltAddon(outDir);
    const foreign = await open(release);
    await connect(foreign, 'YES');
    expect(last(foreign)).toBe(
      `This link leads to ${session.url}, but this add-on works with https://data.acme.example only. Ask your admin which add-on to use.`,
    );
    expect(foreign.requests).toEqual([]);
    const matching = await open(release);
    await connect(matching, 'YES', `https://data.acme.example/connect#${session.team_token}`);
    expect(await name(matching)).toEqual({ values: [['Acme']] });
  } finally {
    await rm(outDir, { recursive: true });
  }
});
