// The live check in the strict host: it passes, and assumptions, check and host agree.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { root } from '../../../worker/commands/paths.ts';
import { listContradictions } from './contradictions.ts';
import {
  type BuiltCheck,
  listFailures,
  listMeasured,
  liveResultsSchema,
  openCheck,
  readBuiltCheck,
  runInHost,
} from './spreadsheet.ts';

/** Checks of what only a person can set up, and of times. */
const BY_HAND = ['table-columns', 'smart-chips', 'filter-views'];
const TIMES = ['service-times', 'formula-start'];

const GATEWAY = 'https://gateway.example';

// A run makes hundreds of executions.
vi.setConfig({ testTimeout: 240_000 });

let built: BuiltCheck;
beforeAll(async () => {
  built = await readBuiltCheck(GATEWAY);
});

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
  expect(listMeasured(first)).toEqual(['refusal-language', ...BY_HAND, 'open-trigger-event', ...TIMES]);
  expect(reload).toMatchObject([{ error: null }]);
  // The second run repeats no other check: it runs no formulas.
  expect(secondExecutions).toBe(2);
  expect(listFailures(second)).toEqual([]);
  expect(listMeasured(second)).toEqual(['refusal-language', ...BY_HAND, ...TIMES]);
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

  it('counts how many of them a source confirms', async () => {
    const page = await readFile(join(root, 'docs/google-assumptions.md'), 'utf8');
    const [table = ''] = page.split('## Assumptions\n')[1]?.split('\n## ') ?? [];
    const sources = [...table.matchAll(/^\| `[a-z-]+` \| .*? \| (.*?) \| /gm)].map(
      ([, source = '']) => source,
    );
    const unverified = sources.filter((source) => /^unverified/.test(source)).length;
    const partly = sources.filter((source) => /unverified/i.test(source)).length - unverified;
    const confirmed = sources.length - unverified - partly;
    expect(page).toContain(
      `Of ${sources.length} assumptions, a public source or a report of developers confirms ${confirmed}, and parts of ${partly}; ${unverified} are unverified.`,
    );
  });
});

describe('results of runs at Google', () => {
  it('are not contradicted by the host', async () => {
    const text = await readFile(join(import.meta.dirname, 'live-results.json'), 'utf8');
    for (const live of liveResultsSchema.parse(JSON.parse(text))) {
      expect(listContradictions(live, await runInHost(built, live.owner, live.locale))).toEqual([]);
    }
  });

  it('are not contradicted by themselves', async () => {
    const { second: report } = await getBothRuns();
    expect(listContradictions(report, report)).toEqual([]);
  });

  it('contradict a host that does not know a check', async () => {
    const { second: report } = await getBothRuns();
    const results = [{ id: 'gone', expected: '', found: 'yes', status: 'PASS' as const }];
    expect(listContradictions({ ...report, results }, report)).toEqual(['gone: no check has this name']);
  });
});
