// Spreadsheets for the formulas' suites, closed after each test, and the sample records' keys.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, inject } from 'vitest';
import type {
  Argument,
  CellValue,
  FormulaResult,
  HostOptions,
  HostRequest,
} from '../../../addon/host/types.ts';
import type { LookupRequest, MeResponse } from '../../../shared/sheets-api.ts';
import { addonDist } from '../../../worker/commands/paths.ts';
import { answer, network, openSpreadsheet, type Spreadsheet } from '../spreadsheet.ts';

const opened: Spreadsheet[] = [];
afterEach(() => {
  for (const { host } of opened.splice(0)) host.close();
});

/** Opens a spreadsheet until the end of the test. See `openSpreadsheet`. */
export async function open(options?: Partial<HostOptions>): Promise<Spreadsheet> {
  const spreadsheet = await openSpreadsheet(options);
  opened.push(spreadsheet);
  return spreadsheet;
}

/** The built Code.js with something more behind it. */
export async function builtCode(more: string): Promise<string> {
  return `${await readFile(join(addonDist, 'Code.js'), 'utf8')}\n${more}`;
}

/** Websites of sample companies. */
export async function sampleWebsites(): Promise<string[]> {
  const response = await fetch(`${inject('session').url}/playground/session`);
  return ((await response.json()) as { examples: string[] }).examples;
}

/** How the team stands. */
export async function account(): Promise<MeResponse> {
  const { url, team_token: token } = inject('session');
  const response = await fetch(`${url}/sheets/v1/me`, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()) as MeResponse;
}

/** What a piece of work costs the team, in credits; what is held for a call that is settled later is spent. */
export async function spentBy(work: () => Promise<unknown>): Promise<number> {
  const before = await account();
  await work();
  const after = await account();
  if (before.remaining === null || after.remaining === null) throw new Error('The team has no cap.');
  return before.remaining - after.remaining;
}

/** A clock of which the test is master. */
export function clock() {
  let now = Date.UTC(2026, 0, 1);
  return {
    now: () => now,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}

/** A column of cells. */
export const column = (cells: readonly CellValue[]): Argument => cells.map((cell) => [cell]);

/** An empty workbook whose clocks are those of a zone. */
export const workbookIn = (timeZone: string) => ({
  id: 'workbook',
  name: 'Workbook',
  timeZone,
  sheets: [{ id: 1, name: 'Sheet1', values: [] }],
});

/** The cells of a result; none where the formula failed. */
export function cellsOf(result: FormulaResult): readonly (readonly CellValue[])[] {
  return 'values' in result ? result.values : [];
}

/** The body of a request. */
export function bodyOf<T = Record<string, unknown>>({ body }: HostRequest): T {
  return JSON.parse(new TextDecoder().decode(body ?? undefined)) as T;
}

/** A scripted Worker that has a record for every key. */
export function recordsFor(
  record: (key: string, at: number) => Record<string, unknown>,
  more: Record<string, unknown> = {},
) {
  return async (request: HostRequest) => {
    if (!request.url.endsWith('/lookup')) return answer(404, { code: 'unknown_address' });
    const { keys } = bodyOf<LookupRequest>(request);
    const rows = keys.map((key, at) => ({ key, status: 'hit', record: record(key, at), credits: 0 }));
    return answer(200, { rows, credits: { spent: 0, saved: 0, remaining: null }, ...more });
  };
}

export { answer, network, type Spreadsheet };
