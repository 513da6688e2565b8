// The company's connection: a script property that connects everybody who uses the add-on.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostOptions, UiAnswer, UiRequest } from '../../addon/dev/host/types.ts';
import { companyDomainProperty, companyProperty, connectionProperty } from '../../shared/connection.ts';
import { buildAddon } from '../../worker/commands/build/addon.ts';
import {
  ADMIN,
  evaluateAnew as evaluate,
  GATEWAY,
  OWNER,
  openOfCompany as open,
  script,
  TOKENS,
  toLink,
  toStored,
  VIEWER,
} from './company-accounts.ts';
import { callSidebar, callSidebarOk, readBuiltAddon } from './spreadsheet.ts';

const COPY = `${connectionProperty}:workbook`;

/** Formulas see the owner's address. */
const VISIBLE = { ownerHiddenInFormulas: false };

const DISCONNECTED = 'Not connected: open Extensions → CDAPI → Connect.';

describe('a company’s connection', () => {
  it('connects people without a link: the sidebar and formulas work at once', async () => {
    const sheet = await open();
    expect(await callSidebarOk(sheet, 'status')).toMatchObject({
      connection: { for: 'company', team: 'Company team' },
      hasCompanyConnection: true,
    });
    expect(await evaluate(sheet)).toBe('Company team');
    const status = await sheet.evaluate('CDAPI_STATUS');
    expect(status).toMatchObject({ values: expect.arrayContaining([['Connection', 'your company’s']]) });
  });

  it.each<[string, Partial<HostOptions>]>([
    ['in a stranger’s spreadsheet', { people: { owner: 'owner@other.example', viewer: VIEWER } }],
    ['in a shared drive', { people: { owner: null, viewer: VIEWER } }],
    ['where Google hides the owner', { ownerFails: true }],
  ])('serves formulas %s if its admin allows all spreadsheets', async (_, options) => {
    const properties = { script: { ...script, [companyDomainProperty]: '*' }, document: {} };
    expect(await evaluate(await open({ documentInFormulas: false, properties, ...options }))).toBe(
      'Company team',
    );
  });

  it('is set by an editor of the script, for everybody and at once', async () => {
    const sheet = await open({ properties: { document: {} }, scriptEditors: [ADMIN], ...VISIBLE });
    sheet.host.editScriptProperty(ADMIN, companyDomainProperty, 'acme.example');
    expect(await evaluate(sheet)).toBe(DISCONNECTED);
    expect(await callSidebarOk(sheet, 'status')).toMatchObject({
      connection: null,
      hasCompanyConnection: false,
    });
    sheet.host.editScriptProperty(ADMIN, companyProperty, ` ${toLink(TOKENS.company)}\n`);
    expect(await evaluate(sheet)).toBe('Company team');
    sheet.host.editScriptProperty(ADMIN, companyProperty, null);
    expect(await evaluate(sheet)).toBe(DISCONNECTED);
  });

  it('gives way to the spreadsheet’s connection, and to a person’s own in the sidebar', async () => {
    const user = { [VIEWER]: { [connectionProperty]: toStored(TOKENS.person) } };
    const personal = await open({ properties: { script, document: {}, user }, ...VISIBLE });
    expect(await callSidebarOk(personal, 'status')).toMatchObject({
      connection: { for: 'me', team: 'Own team' },
    });
    expect(await evaluate(personal)).toBe('Company team');
    const document = { [connectionProperty]: toStored(TOKENS.sheet) };
    const shared = await open({ properties: { script, document, user } });
    expect(await callSidebarOk(shared, 'status')).toMatchObject({
      connection: { for: 'sheet', team: 'Sheet team' },
    });
    expect(await evaluate(shared)).toBe('Sheet team');
    const copied = await open({
      documentInFormulas: false,
      properties: { script, document, user: { [OWNER]: { [COPY]: toStored(TOKENS.sheet) } } },
    });
    expect(await evaluate(copied)).toBe('Sheet team');
  });
});

describe('a spreadsheet that was disconnected', () => {
  it.each([true, false])(
    'does not use the company’s connection until somebody chooses it (documentInFormulas: %s)',
    async (documentInFormulas) => {
      const sheet = await open({ documentInFormulas, people: { owner: OWNER, viewer: OWNER } });
      expect(await callSidebarOk(sheet, 'disconnect', { for: 'company' })).toMatchObject({
        connection: null,
        hasCompanyConnection: true,
      });
      expect(await evaluate(sheet)).toBe(DISCONNECTED);
      expect(await callSidebarOk(sheet, 'connectCompany')).toMatchObject({ connection: { for: 'company' } });
      expect(await evaluate(sheet)).toBe('Company team');
    },
  );

  it('was disconnected from its own connection', async () => {
    const document = { [connectionProperty]: toStored(TOKENS.sheet) };
    const sheet = await open({ properties: { script, document } });
    expect(await callSidebarOk(sheet, 'disconnect', { for: 'sheet' })).toMatchObject({ connection: null });
    expect(await evaluate(sheet)).toBe(DISCONNECTED);
  });

  it('follows the choice of a colleague despite an older copy of the owner', async () => {
    const document = { [connectionProperty]: 'disconnected' };
    const user = { [OWNER]: { [COPY]: 'disconnected' } };
    const sheet = await open({ properties: { script, document, user } });
    await callSidebarOk(sheet, 'connectCompany');
    expect(await evaluate(sheet)).toBe('Company team');
  });

  it('can’t choose what the company does not have', async () => {
    const sheet = await open({ properties: { document: {} } });
    expect(await callSidebar(sheet, 'connectCompany')).toMatchObject({
      message: expect.stringMatching(/^Your company has no connection/),
    });
  });
});

describe('formulas of a company', () => {
  const NOT_OF_COMPANY =
    /^Not connected: formulas use your company’s connection only in spreadsheets that a person/;

  it.each<[string, Partial<HostOptions>]>([
    ['another company’s person', { people: { owner: 'owner@other.example', viewer: VIEWER } }],
    ['a person of a look-alike domain', { people: { owner: 'owner@not-acme.example', viewer: VIEWER } }],
  ])('spend nothing in a spreadsheet of %s', async (_, options) => {
    const sheet = await open({ properties: { script, document: {} }, ...VISIBLE, ...options });
    expect(await evaluate(sheet)).toMatch(NOT_OF_COMPANY);
    expect(sheet.requests).toEqual([]);
    // A person clicks in the sidebar, and a spreadsheet may have its own connection.
    expect(await callSidebarOk(sheet, 'connectCompany')).toMatchObject({ connection: { for: 'company' } });
    expect(await evaluate(sheet)).toMatch(NOT_OF_COMPANY);
    const document = { [connectionProperty]: toStored(TOKENS.sheet) };
    const connected = await open({ properties: { script, document }, ...options });
    expect(await evaluate(connected)).toBe('Sheet team');
  });

  const NOT_APPROVED =
    /^Not connected: open Extensions → CDAPI → Open sidebar and click “Allow formulas here”/;
  const withDomain = (domain: string): Partial<HostOptions> => ({
    properties: { script: { ...script, [companyDomainProperty]: domain }, document: {} },
  });

  it.each<[string, Partial<HostOptions>]>([
    ['nobody, as in a shared drive', { people: { owner: null, viewer: VIEWER } }],
    ['somebody whom Google hides', { ownerFails: true }],
    ['an outsider whom Google hides from formulas', { people: { owner: 'o@other.example', viewer: VIEWER } }],
    ['any owner, before a domain is named', { ...withDomain(' '), ...VISIBLE }],
  ])('spend nothing in a spreadsheet of %s, until a person allows it', async (kind, options) => {
    for (const documentInFormulas of [true, false]) {
      const sheet = await open({ properties: { script, document: {} }, ...options, documentInFormulas });
      expect(await evaluate(sheet)).toMatch(NOT_APPROVED);
      expect(sheet.requests).toEqual([]);
      const isOutsiders = kind.startsWith('an outsider');
      // Opening the sidebar only asks.
      const status = await callSidebarOk(sheet, 'status');
      expect(status.mustAllowFormulas).toBe(isOutsiders ? undefined : true);
      expect(await evaluate(sheet)).toMatch(NOT_APPROVED);
      expect(await callSidebarOk(sheet, 'connectCompany')).not.toHaveProperty('mustAllowFormulas');
      expect(await evaluate(sheet)).toEqual(
        isOutsiders ? expect.stringMatching(NOT_APPROVED) : 'Company team',
      );
      await callSidebarOk(sheet, 'disconnect', { for: 'company' });
      expect(await evaluate(sheet)).toBe(DISCONNECTED);
    }
  });

  it('work in a spreadsheet of a hidden person of the company once somebody has opened the sidebar', async () => {
    const sheet = await open({ documentInFormulas: false });
    expect(await evaluate(sheet)).toMatch(NOT_APPROVED);
    expect(await callSidebarOk(sheet, 'status')).not.toHaveProperty('mustAllowFormulas');
    expect(await evaluate(sheet)).toBe('Company team');
  });

  it('are registered also by a person whose sidebar has another connection, but not against a disconnection', async () => {
    const user = { [VIEWER]: { [connectionProperty]: toStored(TOKENS.person) } };
    const options = { documentInFormulas: false };
    const sheet = await open({ ...options, properties: { script, document: {}, user } });
    expect(await callSidebarOk(sheet, 'status')).toMatchObject({ connection: { for: 'me' } });
    expect(await evaluate(sheet)).toBe('Company team');
    const document = { [connectionProperty]: 'disconnected' };
    const ended = await open({ ...options, properties: { script, document, user } });
    await callSidebarOk(ended, 'status');
    expect(await evaluate(ended)).toMatch(NOT_APPROVED);
    expect(ended.host.properties.script).toEqual(script);
  });

  it('are allowed for one spreadsheet only', async () => {
    const allowed = { ...script, 'CDAPI_FORMULAS:other': 'on' };
    const sheet = await open({ properties: { script: allowed, document: {} } });
    expect(await evaluate(sheet)).toMatch(NOT_APPROVED);
  });

  it('say why they can’t be allowed if the script’s properties are full', async () => {
    const full = Object.fromEntries(Array.from({ length: 58 }, (_, at) => [`p${at}`, 'x'.repeat(8970)]));
    const sheet = await open({ properties: { script: { ...script, ...full }, document: {} } });
    expect(await callSidebarOk(sheet, 'status')).toMatchObject({ mustAllowFormulas: true });
    expect(await callSidebar(sheet, 'connectCompany')).toMatchObject({
      ok: false,
      message: expect.stringMatching(/property storage quota/),
    });
  });

  it.each([OWNER, 'Owner@ACME.test'])('work in a spreadsheet of %s whom formulas see', async (owner) => {
    const options = { documentInFormulas: false, people: { owner, viewer: VIEWER }, ...VISIBLE };
    const sheet = await open({ properties: { script, document: {} }, ...options });
    expect(await evaluate(sheet)).toBe('Company team');
  });
});

describe('the menu', () => {
  const withAnswers = async (options: Partial<HostOptions>, ...buttons: UiAnswer['button'][]) => {
    const shown: UiRequest[] = [];
    const onUi = (request: UiRequest): UiAnswer | undefined => {
      shown.push(request);
      const button = buttons.shift();
      return button && { button };
    };
    const sheet = await open({ ...options, onUi });
    return {
      sheet,
      prompts: () => shown.flatMap((request) => ('prompt' in request ? [request.prompt] : [])),
    };
  };

  it('says that the company is connected, and asks for a link only to use another connection', async () => {
    const { sheet, prompts } = await withAnswers({}, 'CANCEL');
    await sheet.host.run('connect');
    expect(prompts()).toEqual([expect.stringMatching(/^You are connected through your company/)]);
  });

  it('disconnects the spreadsheet from the company’s connection, and offers it again', async () => {
    const { sheet, prompts } = await withAnswers({}, 'YES', 'OK', 'YES', 'OK');
    await sheet.host.run('disconnect');
    expect(await evaluate(sheet)).toBe(DISCONNECTED);
    await sheet.host.run('connect');
    expect(await evaluate(sheet)).toBe('Company team');
    expect(prompts().map((prompt) => prompt.split('.')[0])).toEqual([
      'Stop using your company’s connection in this spreadsheet, for everybody? Formulas keep their values but stop working',
      'This spreadsheet no longer uses your company’s connection',
      'This spreadsheet is disconnected',
      'This spreadsheet uses your company’s connection again',
    ]);
  });

  it('says that the company’s connection follows one’s own', async () => {
    const user = { [VIEWER]: { [connectionProperty]: toStored(TOKENS.person) } };
    const { sheet, prompts } = await withAnswers({ properties: { script, document: {}, user } }, 'YES', 'OK');
    await sheet.host.run('disconnect');
    expect(prompts().at(-1)).toBe('Your own connection is deleted. You now use your company’s connection.');
  });
});

describe('a mistaken script property', () => {
  const INVALID = /^Your company’s connection is not set up correctly\. Ask your admin/;

  it.each([
    ['no link', 'hello'],
    ['a bare token', TOKENS.company],
    ['a cut link', toLink(TOKENS.company).slice(0, -2)],
  ])('is reported without its text: %s', async (_, value) => {
    const sheet = await open({ properties: { script: { [companyProperty]: value }, document: {} } });
    const error = await evaluate(sheet);
    expect(error).toMatch(INVALID);
    const status = await callSidebarOk(sheet, 'status');
    expect(status).toMatchObject({ connection: null, failure: { message: expect.stringMatching(INVALID) } });
    expect(await callSidebar(sheet, 'activity')).toMatchObject({ message: expect.stringMatching(INVALID) });
    expect(JSON.stringify([error, status])).not.toContain(value);
    expect(sheet.requests).toEqual([]);
  });

  it('does not stop a spreadsheet with its own connection', async () => {
    const document = { [connectionProperty]: toStored(TOKENS.sheet) };
    const sheet = await open({ properties: { script: { [companyProperty]: 'hello' }, document } });
    expect(await callSidebarOk(sheet, 'status')).toMatchObject({ connection: { for: 'sheet' } });
    expect(await evaluate(sheet)).toBe('Sheet team');
  });

  it('of another gateway is not used by a release', async () => {
    const outDir = await mkdtemp(join(tmpdir(), 'cdapi-company-'));
    try {
      await buildAddon({ outDir, gateway: GATEWAY });
      const release = await readBuiltAddon(outDir);
      expect(await evaluate(await open({ ...release, ...VISIBLE }))).toBe('Company team');
      const properties = {
        script: { [companyProperty]: toLink(TOKENS.company, 'https://other.example') },
        document: {},
      };
      const foreign = await open({ ...release, properties });
      expect(await evaluate(foreign)).toMatch(
        /connection link of https:\/\/data\.acme\.example into the script property CDAPI_COMPANY_LINK\.$/,
      );
      expect(foreign.requests).toEqual([]);
    } finally {
      await rm(outDir, { recursive: true });
    }
  });
});
