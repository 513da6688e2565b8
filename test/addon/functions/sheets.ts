// Spreadsheets for the formulas' suites, closed after each test, and the sample records' keys.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, vi } from 'vitest';
import type { Argument, CellValue, FormulaResult, HostRequest } from '../../../addon/dev/host/types.ts';
import type { MeResponse } from '../../../shared/api/account.ts';
import type { TeamView } from '../../../shared/api/admin.ts';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { addonDist } from '../../../worker/commands/paths.ts';
import { answer, openSpreadsheet, type Spreadsheet } from '../spreadsheet.ts';
import { admin } from './teams.ts';

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

/** What the team has spent today, once nothing is held for calls of anybody before. */
async function spentToday(): Promise<number> {
  return vi.waitFor(
    async () => {
      const { budget } = await admin<TeamView>('GET', 'teams/development');
      expect(budget.held).toBe(0);
      return budget.spent.day;
    },
    { timeout: 40_000, interval: 50 },
  );
}

/** What a piece of work costs the team, in credits; what was held before it, and is settled meanwhile, is not its own. */
export async function spentBy(work: () => Promise<unknown>): Promise<number> {
  const before = await spentToday();
  await work();
  return (await spentToday()) - before;
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

/** A scripted Worker that has a record for every key; one that it has none for is still on its way. */
export function recordsFor(
  recordOf: (key: string, at: number) => Record<string, unknown> | undefined,
  more: Record<string, unknown> = {},
) {
  return async (request: HostRequest) => {
    if (!request.url.endsWith('/lookup')) return answer(404, { code: 'unknown_address' });
    const { keys } = bodyOf<LookupRequest>(request);
    const rows = keys.map((key, at) => {
      const record = recordOf(key, at);
      return record === undefined
        ? { key, status: 'pending', problem: 'pending', credits: 0 }
        : { key, status: 'hit', record, credits: 0 };
    });
    return answer(200, { rows, credits: { spent: 0, saved: 0, remaining: null }, ...more });
  };
}

export { answer, openSpreadsheet as open, type Spreadsheet };
