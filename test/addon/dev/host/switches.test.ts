// The built add-on under the strict setting of every switch of the host (addon/dev/host/settings.ts).
import { expect, inject, test } from 'vitest';
import type { HostOptions, Settings } from '../../../../addon/dev/host/types.ts';
import { connectionProperty } from '../../../../shared/connection.ts';
import { spreadsheetHeader, spreadsheetNameHeader } from '../../../../shared/sources.ts';
import { getCells, parseBody, respondWithRecords, toColumn } from '../../functions/sheets.ts';
import { TestGateway } from '../../gateway.ts';
import { Grid } from '../../grid.ts';
import {
  callSidebar,
  createResponse,
  openSpreadsheet,
  readBuiltAddon,
  type Spreadsheet,
} from '../../spreadsheet.ts';

const { url, team_token: token } = inject('session');
const CONNECTION = JSON.stringify({ url, token });
const OWNER = 'owner@team.example';
const VIEWER = 'viewer@team.example';
const SCOPE = 'https://www.googleapis.com/auth/';
const SCOPES = ['spreadsheets.currentonly', 'script.external_request', 'script.container.ui'].map(
  (name) => SCOPE + name,
);

const fetch = respondWithRecords((key) => ({ name: `Name of ${key}`, day: '2024-02-29' }), { stamp: 's' });

/** Opens a connected spreadsheet. */
const open = (options: Partial<HostOptions>) => openSpreadsheet({ fetch, ...options }, 'YES');

const enrich = (sheet: Spreadsheet, field = 'name') => sheet.evaluate('CDAPI_ENRICH', 'a.com', field);
const NAMED = { values: [['Name of a.com']] };

/** Runs a formula, the menu and the sidebar of a spreadsheet in which everything works. */
async function useAll(sheet: Spreadsheet): Promise<void> {
  expect(await enrich(sheet)).toEqual(NAMED);
  await sheet.host.run('onOpen', [{}], 'open');
  for (const item of ['openSidebar', 'help', 'completeOnOpening']) await sheet.host.run(item);
  expect(sheet.shown.map(({ kind }) => kind)).toEqual(['menu', 'sidebar', 'alert', 'alert', 'toast']);
  expect(await callSidebar(sheet, 'status')).toMatchObject({ ok: true });
}

const toDateTime = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** Looks up 1,000 rows with two columns of dates and times. */
async function enrichDates(serviceLatencyMs: number) {
  const first = Date.UTC(2020, 0, 1, 12);
  const sheet = await open({
    serviceLatencyMs,
    fetch: respondWithRecords((_, at) => ({
      created_at: toDateTime(first + at * 86_401_000),
      last_updated: toDateTime(first + at * 86_500_000),
    })),
  });
  const keys = toColumn(Array.from({ length: 1000 }, (_, at) => `s${at}.example`));
  return { sheet, result: await sheet.evaluate('CDAPI_ENRICH', keys, 'created_at, last_updated') };
}

/** One scenario for each switch, and for the options that settings.ts names beside them. */
const SCENARIOS: Readonly<Record<keyof Settings | 'locale' | 'document' | 'scopes', () => Promise<void>>> = {
  people: async () => useAll(await open({ people: { owner: null, viewer: VIEWER } })),

  documentInFormulas: async () => {
    const user = { [OWNER]: { [`${connectionProperty}:workbook`]: CONNECTION } };
    await useAll(await open({ documentInFormulas: false, properties: { user } }));
    const unconnected = await open({ documentInFormulas: false });
    expect(await enrich(unconnected)).toMatchObject({
      error: expect.stringMatching(/^Not connected: .*owner/),
    });
  },

  ownCellFails: async () => {
    const gateway = new TestGateway();
    const document = { [connectionProperty]: CONNECTION, CDAPI_SPENDING: '99', CDAPI_CONFIRMED: 'x:9' };
    const sheet = await open({ ownCellFails: true, fetch: gateway.fetch, properties: { document } });
    expect(await enrich(sheet)).toEqual({ values: [['#BUDGET']] });
    expect(gateway.spent).toBe(0);
  },

  nameFails: async () => {
    for (const nameFails of [false, true]) {
      const sheet = await open({ nameFails });
      expect(await callSidebar(sheet, 'status')).toMatchObject({ ok: true });
      const headers = sheet.requests.map((request) => request.headers);
      expect(headers.some((each) => spreadsheetNameHeader in each)).toBe(!nameFails);
      expect(headers.every((each) => spreadsheetHeader in each)).toBe(true);
    }
  },

  ownerFails: async () => useAll(await open({ ownerFails: true })),

  ownerHiddenInFormulas: async () => {
    // The company's connection: test/addon/company-connection.test.ts.
    const sheet = await open({ ownerHiddenInFormulas: true, documentInFormulas: false });
    expect(await enrich(sheet)).toMatchObject({
      error: expect.stringMatching(/^Not connected: formulas here need the owner/),
    });
  },

  deniedScopes: async () => {
    for (const scope of SCOPES) {
      const sheet = await open({ deniedScopes: [scope] });
      await sheet.host.run('openSidebar');
      const messages = [
        ...sheet.listMessages(),
        JSON.stringify([await enrich(sheet, 'day'), await callSidebar(sheet, 'status')]),
      ];
      expect(messages.join(' '), scope).toMatch(/CDAPI lacks the permission “.+”.*tick every box/);
    }
    await useAll(await open({ deniedScopes: [] }));
  },

  severalAccounts: async () => {
    for (const severalAccounts of ['storage', 'authorization'] as const) {
      const sheet = await open({ severalAccounts });
      await expect(callSidebar(sheet, 'status')).rejects.toThrow(
        /PERMISSION_DENIED|Authorization is required/,
      );
      expect(await enrich(sheet)).toEqual(NAMED);
    }
  },

  stripsComments: async () => {
    const sheet = await open({ stripsComments: true });
    await useAll(sheet);
    const { files = {} } = await readBuiltAddon();
    expect(sheet.shown).toContainEqual({ kind: 'sidebar', title: 'CDAPI', html: files.Sidebar });
  },

  asciiDigests: async () => {
    const answer = { columns: [{ name: 'name', type: 'text' }], page: 1, total_pages: 1, total: 1 };
    const sheet = await open({
      asciiDigests: true,
      fetch: async (request) => {
        const rows = [[`Found ${parseBody<{ text?: string }>(request).text}`]];
        return createResponse(200, { ...answer, rows, snapshot: null, credits: { spent: 1 }, stamp: 's' });
      },
    });
    for (const query of ['人工智能', '机器学习', '人工智能']) {
      const cells = getCells(await sheet.evaluate('CDAPI_PREVIEW', 'company_base', query, 'name'));
      expect(cells).toEqual([['name'], [`Found ${query}`]]);
    }
    expect(sheet.requests).toHaveLength(2);
  },

  reusesResults: async () => {
    const gateway = new TestGateway();
    const sheet = await open({ reusesResults: false, fetch: gateway.fetch });
    const keys = toColumn(['a.com', '', 'nobody.com', 'b.com', 'a.com']);
    const first = await sheet.evaluate('CDAPI_ENRICH', keys, 'name, founded');
    const paid = gateway.spent;
    expect(getCells(first)).toHaveLength(5);
    expect(paid).toBeGreaterThan(0);
    gateway.budget = 0;
    for (const change of [() => undefined, () => sheet.host.clearCaches()]) {
      change();
      const runs = sheet.host.usage.formulaRuns;
      expect(await sheet.evaluate('CDAPI_ENRICH', keys, 'name, founded')).toEqual(first);
      expect(sheet.host.usage.formulaRuns).toBe(runs + 1);
    }
    expect(gateway.spent).toBe(paid);
  },

  serviceLatencyMs: async () => {
    // 50 ms are strict. At 1 s a call, the 30 seconds also count the calls: 25 are allowed.
    for (const serviceLatencyMs of [50, 1000]) {
      const { sheet, result } = await enrichDates(serviceLatencyMs);
      const cells = getCells(result).flat();
      expect([cells.length, cells.every((cell) => cell instanceof Date)]).toEqual([2000, true]);
      expect(sheet.host.usage.serviceCalls).toBeLessThanOrEqual(25);
    }
    const { result } = await enrichDates(10_000);
    expect(result).toMatchObject({ error: 'Exceeded maximum execution time' });
  },

  copiesMetadata: async () => useAll(await open({ copiesMetadata: true })),

  opensOtherSpreadsheets: async () => useAll(await open({ opensOtherSpreadsheets: false })),

  unnamedCharset: async () => {
    const name = 'Müller & Søn 株式会社';
    const sheet = await open({ unnamedCharset: 'ISO-8859-1', fetch: respondWithRecords(() => ({ name })) });
    for (const change of [() => undefined, () => sheet.host.clearResults()]) {
      change();
      expect(await enrich(sheet)).toEqual({ values: [[name]] });
    }
  },

  language: async () => {
    const denied = await open({ language: 'ja', deniedScopes: [`${SCOPE}script.external_request`] });
    expect(await enrich(denied)).toMatchObject({
      error: expect.stringMatching(/^CDAPI lacks the permission “Connect to an external service”/),
    });
    await useAll(await open({ language: 'es' }));
  },

  documentFails: async () => {
    const user = { [OWNER]: { [`${connectionProperty}:workbook`]: CONNECTION } };
    const sheet = await open({ documentFails: true, properties: { document: {}, user } });
    expect(await enrich(sheet)).toEqual(NAMED);
    expect(await callSidebar(sheet, 'status')).toMatchObject({ ok: true });
    await sheet.host.run('connect');
    expect(sheet.listMessages().at(-1)).not.toContain('getDocumentProperties');
  },

  locale: async () => {
    const grid = new Grid([['a.com', '=CDAPI_ENRICH(A1; "name")']], {}, 'de_DE');
    const sheet = await open({ ...grid.options });
    await grid.calculate(sheet.host);
    expect(grid.values('B1')).toEqual([['Name of a.com']]);
    grid.select('B1');
    await sheet.host.run('refreshSelection');
    expect(grid.formulas('B1')[0]?.[0]).toMatch(/^=CDAPI_ENRICH\(A1; ?"name"; ?"refresh=\d+"\)$/);
    await grid.calculate(sheet.host);
    expect(grid.values('B1')).toEqual([['Name of a.com']]);
  },

  document: async () => {
    const properties = { document: null, user: { [VIEWER]: { [connectionProperty]: CONNECTION } } };
    const sheet = await open({ properties });
    expect(await callSidebar(sheet, 'status')).toMatchObject({ ok: true });
    expect(await enrich(sheet)).toMatchObject({ error: expect.stringMatching(/^Not connected: /) });
  },

  scopes: async () => {
    const { manifest } = await readBuiltAddon();
    expect(manifest.oauthScopes?.toSorted()).toEqual([...SCOPES, `${SCOPE}script.scriptapp`].toSorted());
    await useAll(await open({ manifest }));
  },
};

test.each(Object.entries(SCENARIOS))('the add-on works under the strict setting of %s', async (_, run) => {
  await run();
});
