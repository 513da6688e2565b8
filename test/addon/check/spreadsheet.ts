// Opens a scratch spreadsheet with the built check in the strict host.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { Host } from '../../../addon/dev/host/host.ts';
import { startNodeExecution } from '../../../addon/dev/host/node/start.ts';
import type { HostOptions, UiRequest } from '../../../addon/dev/host/types.ts';
import { buildCheck } from '../../../worker/commands/build/check.ts';
import { createResponse } from '../spreadsheet.ts';
import { CalculatingWorkbook } from './calculating-workbook.ts';
import { runPage } from './page.ts';

const reportSchema = z.strictObject({
  locale: z.string(),
  owner: z.enum(['a person', 'null', 'an error']),
  results: z.array(
    z.strictObject({
      id: z.string(),
      expected: z.string(),
      found: z.string(),
      status: z.enum(['PASS', 'FAIL', 'INFO']),
    }),
  ),
});

/** The JSON that a run of the check writes. */
export type Report = z.output<typeof reportSchema>;

/** Results of runs at Google, as people have sent them. */
export const liveResultsSchema = z.array(reportSchema);

export const OWNER = 'owner@team.example';
export const NAME = 'Secret spreadsheet';
export const ID = '1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789';

/** Files of the built check. */
export type BuiltCheck = Pick<HostOptions, 'code' | 'files' | 'manifest'>;

/** Builds the check. @param gateway - '' for none */
export async function readBuiltCheck(gateway: string): Promise<BuiltCheck> {
  const outDir = await mkdtemp(join(tmpdir(), 'cdapi-check-'));
  try {
    await buildCheck({ outDir, gateway });
    const read = (name: string): Promise<string> => readFile(join(outDir, name), 'utf8');
    return {
      code: await read('Code.js'),
      files: {
        Later: await read('Later.html'),
        Literals: await read('Literals.html'),
        Page: await read('Page.html'),
      },
      manifest: JSON.parse(await read('appsscript.json')),
    };
  } finally {
    await rm(outDir, { recursive: true });
  }
}

/** A spreadsheet with the check. */
export interface CheckedSpreadsheet {
  host: Host;
  /** Texts of dialogs, in order. */
  listMessages: () => string[];
  workbook: CalculatingWorkbook;
  /** Chooses Run from the menu. */
  run: () => Promise<void>;
  /** Returns the rows of the report's sheet, without its JSON. */
  getRows: () => unknown[][];
  getReport: () => Report;
}

/** Sleeps of scripts take a fiftieth of their time; limits of executions are not changed. */
function setTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms >= 30_000 ? ms : ms / 50);
  return () => clearTimeout(timer);
}

/**
 * Opens a scratch spreadsheet.
 * @param locale - the spreadsheet's
 * @param onUi - sees what the check shows
 */
export async function openCheck(
  built: BuiltCheck,
  options: Partial<HostOptions> = {},
  locale = 'en_US',
  onUi: (request: UiRequest, sheet: CheckedSpreadsheet) => void | Promise<void> = () => undefined,
): Promise<CheckedSpreadsheet> {
  const sheets = [{ id: 1, name: 'Sheet1', values: [] }];
  const workbook: CalculatingWorkbook = new CalculatingWorkbook(
    { id: ID, name: NAME, locale, sheets },
    (...call) => host.evaluate(...call),
  );
  const shown: UiRequest[] = [];
  const host: Host = new Host({
    ...built,
    startExecution: startNodeExecution,
    ...workbook.options,
    people: { owner: OWNER, viewer: OWNER },
    properties: {},
    setTimer,
    fetch: async ({ url }) => createResponse(url.endsWith('/health') ? 200 : 404, {}),
    onUi: async (request) => {
      shown.push(request);
      if (request.kind === 'sidebar') runPage(request.html, host);
      await onUi(request, checked);
      return { button: 'OK' };
    },
    ...options,
  });
  onTestFinished(() => host.close());
  const rows = () => workbook.getRows('CDAPI check').filter((row) => row.some((cell) => cell !== ''));
  const checked: CheckedSpreadsheet = {
    host,
    listMessages: () => shown.flatMap((request) => ('prompt' in request ? [request.prompt] : [])),
    workbook,
    run: async () => {
      const items = host.menus.flatMap((menu) => menu.items);
      const item = items.find((each) => each.kind === 'item' && each.caption === 'Run');
      if (item?.kind !== 'item') throw new Error('the menu has no Run');
      await host.run(item.functionName);
    },
    getRows: () => rows().map((row) => row.slice(0, 4)),
    getReport: () => reportSchema.parse(JSON.parse(String(rows()[1]?.[5]))),
  };
  await host.run('onOpen', [], 'open');
  return checked;
}

/** Returns the failed checks of a report. */
export const listFailures = ({ results }: Report) => results.filter(({ status }) => status === 'FAIL');
/** Returns the ids of checks that only measure. */
export const listMeasured = ({ results }: Report) =>
  results.filter(({ status }) => status === 'INFO').map(({ id }) => id);

/** The host under the circumstances of a run at Google: the owner's visibility and the locale. */
export async function runInHost(
  built: BuiltCheck,
  owner: Report['owner'] = 'a person',
  locale = 'en_US',
  settings: Partial<HostOptions> = {},
): Promise<Report> {
  const people = { owner: owner === 'null' ? null : OWNER, viewer: OWNER };
  const sheet = await openCheck(built, { people, ownerFails: owner === 'an error', ...settings }, locale);
  await sheet.run();
  await sheet.host.runOpenTriggers();
  await sheet.run();
  return sheet.getReport();
}
