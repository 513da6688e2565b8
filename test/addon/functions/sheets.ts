// Helpers of the formula tests.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, vi } from 'vitest';
import type { Argument, CellValue, FormulaResult, HostRequest } from '../../../addon/dev/host/types.ts';
import type { MeResponse } from '../../../shared/api/account.ts';
import type { TeamView } from '../../../shared/api/admin.ts';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { addonDist } from '../../../worker/commands/paths.ts';
import { readPlaygroundSession } from '../../playground-session.ts';
import { createResponse, openSpreadsheet, type Spreadsheet } from '../spreadsheet.ts';
import { callAdmin } from './teams.ts';

/** Reads the built Code.js and appends code. */
export async function readBuiltCode(more: string): Promise<string> {
  return `${await readFile(join(addonDist, 'Code.js'), 'utf8')}\n${more}`;
}

/** Returns websites of sample companies. */
export async function getSampleWebsites(): Promise<string[]> {
  return (await readPlaygroundSession(inject('session'))).examples;
}

/** Returns the team's account. */
export async function getAccount(): Promise<MeResponse> {
  const { url, team_token: token } = inject('session');
  const response = await fetch(`${url}/sheets/v1/me`, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()) as MeResponse;
}

/** Returns the credits spent this month, when no reservation is open. */
async function getSpentThisMonth(): Promise<number> {
  return vi.waitFor(
    async () => {
      const { budget } = await callAdmin<TeamView>('GET', 'teams/development');
      expect(budget.reserved).toBe(0);
      return budget.spent.month;
    },
    { timeout: 40_000, interval: 50 },
  );
}

/** Measures the credits that a task costs the team. */
export async function measureSpending(work: () => Promise<unknown>): Promise<number> {
  const before = await getSpentThisMonth();
  await work();
  return (await getSpentThisMonth()) - before;
}

/** Creates a clock that the test moves. */
export function createClock() {
  let now = Date.UTC(2026, 0, 1);
  return {
    now: () => now,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}

/** Converts cells to a column. */
export const toColumn = (cells: readonly CellValue[]): Argument => cells.map((cell) => [cell]);

/** Creates an empty workbook in a time zone. */
export const createWorkbookIn = (timeZone: string) => ({
  id: 'workbook',
  name: 'Workbook',
  timeZone,
  sheets: [{ id: 1, name: 'Sheet1', values: [] }],
});

/** Returns the cells of a result; empty if the formula failed. */
export function getCells(result: FormulaResult): readonly (readonly CellValue[])[] {
  return 'values' in result ? result.values : [];
}

/** Parses the JSON body of a request. */
export function parseBody<T = Record<string, unknown>>({ body }: HostRequest): T {
  return JSON.parse(new TextDecoder().decode(body ?? undefined)) as T;
}

/** Creates a gateway with a record for each key; undefined: pending. */
export function respondWithRecords(
  recordOf: (key: string, at: number) => Record<string, unknown> | undefined,
  more: Record<string, unknown> = {},
) {
  return async (request: HostRequest) => {
    if (!request.url.endsWith('/lookup')) return createResponse(404, { code: 'unknown_address' });
    const { keys } = parseBody<LookupRequest>(request);
    const rows = keys.map((key, at) => {
      const record = recordOf(key, at);
      return record === undefined
        ? { key, status: 'pending', problem: 'pending', credits: 0 }
        : { key, status: 'hit', record, credits: 0 };
    });
    return createResponse(200, { rows, credits: { spent: 0, saved: 0, remaining: null }, ...more });
  };
}

/** Evaluates CDAPI_ENRICH. */
export const enrich = (sheet: Spreadsheet, ...args: Argument[]) => sheet.evaluate('CDAPI_ENRICH', ...args);

export { createResponse as answer, openSpreadsheet as open, type Spreadsheet };
