// The live check in the strict host: it passes, can be stopped and continued, and reports no personal data; assumptions, check
// and host agree.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Exception } from '../../../addon/dev/host/host.ts';
import type { HostOptions } from '../../../addon/dev/host/types.ts';
import { root } from '../../../worker/commands/paths.ts';
import { listContradictions } from './contradictions.ts';
import {
  type BuiltCheck,
  ID,
  liveResultsSchema,
  NAME,
  OWNER,
  openCheck,
  type Report,
  readBuiltCheck,
} from './spreadsheet.ts';

const GATEWAY = 'https://gateway.example';

let built: BuiltCheck;
beforeAll(async () => {
  built = await readBuiltCheck(GATEWAY);
});

const listFailures = ({ results }: Report) => results.filter(({ status }) => status === 'FAIL');
const listMeasured = ({ results }: Report) =>
  results.filter(({ status }) => status === 'INFO').map(({ id }) => id);

/** A run, a reload of the spreadsheet and a second run, under the default settings. */
async function runTwice() {
  const sheet = await openCheck(built);
  await sheet.run();
  const [first, rows, { executions }] = [sheet.getReport(), sheet.getRows(), sheet.host.usage];
  const reload = await sheet.host.runOpenTriggers();
  await sheet.run();
  const secondExecutions = sheet.host.usage.executions - executions;
  return { first, rows, reload, second: sheet.getReport(), secondExecutions, messages: sheet.listMessages() };
}
let twice: ReturnType<typeof runTwice> | undefined;
const getBothRuns = (): ReturnType<typeof runTwice> => {
  twice ??= runTwice();
  return twice;
};

it('passes from the menu, and a second run adds what needs a reload', async () => {
  const { first, reload, second, secondExecutions, messages } = await getBothRuns();
  expect(listFailures(first)).toEqual([]);
  expect(listMeasured(first)).toEqual(['open-trigger-event', 'service-times', 'formula-start']);
  expect(reload).toMatchObject([{ error: null }]);
  // The second run repeats no other check: it runs no formulas.
  expect(secondExecutions).toBe(2);
  expect(listFailures(second)).toEqual([]);
  expect(listMeasured(second)).toEqual(['service-times', 'formula-start']);
  const total = second.results.length;
  expect(messages).toEqual([
    `${total} checks are done, 0 failed. Copy cell F2 of the sheet “CDAPI check” into an issue. One check needs a reload: reload the spreadsheet, then choose CDAPI check → Run again.`,
    `${total} checks are done, 0 failed. Copy cell F2 of the sheet “CDAPI check” into an issue.`,
  ]);
});

it('writes a row for each assumption, as in its JSON', async () => {
  const { first, rows } = await getBothRuns();
  const expected = first.results.map(({ id, expected, found, status }) => [id, expected, found, status]);
  expect(rows).toEqual([['assumption', 'expected', 'found', 'result'], ...expected]);
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

it('refuses a second run at the same time, and starts over from the menu', async () => {
  const sheet = await openCheck(built, {}, 'en_US', async (request, { host }) => {
    if (request.kind !== 'toast' || !request.message.startsWith('0 of')) return;
    await host.run('checkRun');
    await host.run('checkStop');
  });
  await sheet.run();
  expect(sheet.listMessages()[0]).toMatch(/already running/);
  expect(sheet.host.properties.document).not.toEqual({});
  await sheet.host.run('checkReset');
  // Findings of a page that outlives its run.
  await sheet.host.call('checkPage', ['{}']);
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
  ]);
  const everything = JSON.stringify(sheet.workbook.getRows('CDAPI check'));
  for (const secret of [OWNER, 'team.example', ID, NAME, GATEWAY, 'gateway.example', 'Sheet1'])
    expect(everything).not.toContain(secret);
});

/** The host under the circumstances of a run at Google: the owner's visibility and the locale. */
async function runInHost(
  owner: Report['owner'] = 'a person',
  locale = 'en_US',
  settings: Partial<HostOptions> = {},
) {
  const people = { owner: owner === 'null' ? null : OWNER, viewer: OWNER };
  const sheet = await openCheck(built, { people, ownerFails: owner === 'an error', ...settings }, locale);
  await sheet.run();
  await sheet.host.runOpenTriggers();
  await sheet.run();
  return sheet.getReport();
}

describe('docs/google-assumptions.md', () => {
  const readIds = async (heading: string): Promise<string[]> => {
    const page = await readFile(join(root, 'docs/google-assumptions.md'), 'utf8');
    const [, section = ''] = page.split(`## ${heading}\n`);
    const [table = ''] = section.split('\n## ');
    return [...table.matchAll(/^\| ([^|]*) \|/gm)]
      .map(([, cell = '']) => cell)
      .filter((cell) => cell !== 'id' && cell !== '---')
      .map((cell) => /^`([a-z-]+)`$/.exec(cell)?.[1] ?? `no id: ${cell}`);
  };

  it('gives each assumption an id, and a check or a reason why none is possible', async () => {
    const ids = await readIds('Assumptions');
    const reasons = await readIds('Not checked by the script');
    const checked = (await getBothRuns()).second.results.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(30);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...checked, ...reasons].toSorted()).toEqual(ids.toSorted());
  });
});

describe('results of runs at Google', () => {
  it('are not contradicted by the host', async () => {
    const text = await readFile(join(import.meta.dirname, 'live-results.json'), 'utf8');
    for (const live of liveResultsSchema.parse(JSON.parse(text))) {
      expect(listContradictions(live, await runInHost(live.owner, live.locale))).toEqual([]);
    }
  });

  it('are not contradicted by themselves', async () => {
    const { second: report } = await getBothRuns();
    expect(listContradictions(report, report)).toEqual([]);
  });

  it('contradict each setting of the host that differs', async () => {
    const { second: live } = await getBothRuns();
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
    const report = await runInHost('an error', 'en_US', settings);
    const contradictions = listContradictions(live, report);
    for (const [id, text] of Object.entries(emulated)) {
      const found = live.results.find((result) => result.id === id)?.found;
      expect(contradictions).toContain(`${id}: Google “${found}”, the host “${text}”`);
    }
  });

  it('contradict a host that does not know a check', async () => {
    const { second: report } = await getBothRuns();
    const results = [{ id: 'gone', expected: '', found: 'yes', status: 'PASS' as const }];
    expect(listContradictions({ ...report, results }, report)).toEqual(['gone: no check has this name']);
  });
});
