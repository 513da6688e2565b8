// The live check is stopped and continued, fails without personal data, and runs in other circumstances: shared drives, other
// people, no gateway, denied permissions, slow runs, other hosts.
import { beforeAll, expect, it, vi } from 'vitest';
import { Exception } from '../../../addon/dev/host/host.ts';
import { listContradictions } from './contradictions.ts';
import {
  type BuiltCheck,
  ID,
  listFailures,
  listMeasured,
  NAME,
  OWNER,
  openCheck,
  readBuiltCheck,
  runInHost,
} from './spreadsheet.ts';

const GATEWAY = 'https://gateway.example';

// A run makes hundreds of executions.
vi.setConfig({ testTimeout: 240_000 });

let built: BuiltCheck;
beforeAll(async () => {
  built = await readBuiltCheck(GATEWAY);
});

it.each([
  [
    'in a shared drive, where formulas have no document properties',
    { people: { owner: null, viewer: OWNER }, documentInFormulas: false },
  ],
  [
    'for an editor who is not the owner, who is hidden',
    { people: { owner: OWNER, viewer: 'viewer@team.example' }, ownerFails: true },
  ],
])('passes %s', async (_, settings) => {
  const sheet = await openCheck(built, settings);
  await sheet.run();
  expect(listFailures(sheet.getReport())).toEqual([]);
});

it('says what it did not try without a gateway, and what a denied permission breaks', async () => {
  const deniedScopes = ['https://www.googleapis.com/auth/script.external_request'];
  const sheet = await openCheck(await readBuiltCheck(''), { deniedScopes });
  await sheet.run();
  expect(listMeasured(sheet.getReport())).toEqual(
    expect.arrayContaining(['fetch-all', 'sidebar-fetch', 'sidebar-events']),
  );
  expect(listFailures(sheet.getReport())).toMatchObject([
    { id: 'authorization', found: 'authorization REQUIRED; requireScopes(): accepted' },
  ]);
});

it('ends before Google’s limit of six minutes, and continues', async () => {
  let skipped = 0;
  const sheet = await openCheck(built, { now: () => Date.now() + skipped }, 'en_US', (request) => {
    if (request.kind === 'toast') skipped += 60_000;
  });
  const executions: string[] = [];
  while (sheet.getRows().length === 0) {
    await sheet.run();
    executions.push(sheet.listMessages().at(-1) ?? '');
  }
  expect(executions.length).toBeGreaterThan(2);
  expect(executions[0]).toMatch(/^5 of \d+ checks are done\. Choose CDAPI check → Run to continue\.$/);
  expect(listFailures(sheet.getReport())).toEqual([]);
});

it('contradicts each setting of the host that differs', async () => {
  const live = await runInHost(built);
  const settings = {
    documentInFormulas: false,
    reusesResults: true,
    asciiDigests: false,
    stripsComments: false,
    opensOtherSpreadsheets: true,
  };
  const emulated = {
    'formula-document-properties': 'null',
    'seen-argument': 'shows the last result',
    'digest-charset': 'without a charset: UTF-8; with one: UTF-8',
    'template-literals': 'unchanged',
    'other-spreadsheets': 'not refused for its scope',
    'formula-owner': 'an error',
  };
  // The owner can't be read.
  const report = await runInHost(built, 'an error', 'en_US', settings);
  const contradictions = listContradictions(live, report);
  for (const [id, text] of Object.entries(emulated)) {
    const found = live.results.find((result) => result.id === id)?.found;
    expect(contradictions).toContain(`${id}: Google “${found}”, the host “${text}”`);
  }
});

it('can be stopped, continues with the next check, and leaves only its report behind', async () => {
  let stopAt = 'own-cell';
  const toasts: string[] = [];
  const sheet = await openCheck(built, {}, 'de_DE', async (request, { host }) => {
    if (request.kind !== 'toast') return;
    toasts.push(request.message);
    if (stopAt !== '' && request.message.endsWith(`Now: ${stopAt}`)) await host.run('checkStop');
  });
  await sheet.run();
  expect(sheet.listMessages()).toEqual([
    expect.stringMatching(/^Stopped\. \d+ of \d+ checks are done\. Choose CDAPI check → Run to continue\.$/),
  ]);
  expect(sheet.getRows()).toEqual([]);
  stopAt = '';
  const before = toasts.length;
  await sheet.run();
  expect(listFailures(sheet.getReport())).toEqual([]);
  // Progress counts on: nothing is repeated but the stopped check.
  expect(toasts[before]).toMatch(new RegExp(`^${before - 1} of \\d+ checks are done\\. Now: own-cell$`));

  await sheet.host.runOpenTriggers();
  await sheet.run();
  expect(sheet.workbook.workbook.sheets.map(({ name }) => name)).toEqual(['CDAPI check', 'Sheet1']);
  expect(sheet.workbook.workbook.locale).toBe('de_DE');
  expect(sheet.host.properties).toMatchObject({ document: {}, user: { [OWNER]: {} } });
  expect(sheet.host.properties.document).toEqual({});
  expect(sheet.host.triggers).toEqual([]);
});

it('reports a failure without addresses, ids, names or links', async () => {
  const sheet = await openCheck(built, {
    fetch: async () => {
      throw new Exception(
        `${OWNER} may not open https://docs.google.com/spreadsheets/d/${ID} “${NAME}” ${ID}`,
      );
    },
  });
  await sheet.run();
  expect(listFailures(sheet.getReport())).toMatchObject([
    { id: 'formula-services', found: 'not fetch' },
    { id: 'fetch-all', found: 'failed: (address) may not open (link) “(name)” (id)' },
    { id: 'bot-protection', found: 'failed: (address) may not open (link) “(name)” (id)' },
  ]);
  const everything = JSON.stringify(sheet.workbook.getRows('CDAPI check'));
  for (const secret of [OWNER, 'team.example', ID, NAME, GATEWAY, 'gateway.example', 'Sheet1'])
    expect(everything).not.toContain(secret);
});
