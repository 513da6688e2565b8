// Attacks with the names of spreadsheets, which callers choose.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { expect, it } from 'vitest';
import { spreadsheetHeader, spreadsheetNameHeader } from '../../../../shared/sources.ts';
import { deleteMentions } from '../../../../worker/privacy/erasure-run.ts';
import { findSpreadsheetNames } from '../../../../worker/tables/spreadsheets.ts';
import { buildCompanyResponse, createGateway } from '../../harness.ts';
import { createToken } from './callers.ts';
import { newTeam } from './fixtures.ts';

it.each([
  ['a character of no text', '%00name%00', undefined],
  ['a pair that the limit of length splits', encodeURIComponent(`${'a'.repeat(199)}🦊`), undefined],
  ['no percent-encoding', '%E0%A4%A', null],
  ['blanks', '%20%0A', null],
])('%s never fails the call for the account', async (_, name, stored) => {
  const team = newTeam();
  const authorization = `Bearer ${await createToken(team)}`;
  const headers = { authorization, [spreadsheetHeader]: 'book-1234567', [spreadsheetNameHeader]: name };
  const { status } = await createGateway(buildCompanyResponse).request('/sheets/v1/me', { headers });
  expect(status).toBe(200);
  const row = await env.DB.prepare('SELECT name FROM spreadsheets WHERE team_id = ?')
    .bind(team)
    .first<{ name: string }>();
  if (stored === null) expect(row).toBeNull();
  else expect(row?.name).toMatch(/a{3}|name/);
});

/** Opens the sidebar in a spreadsheet. */
async function open(team: string, id: string, name: string): Promise<void> {
  const authorization = `Bearer ${await createToken(team)}`;
  const headers = { authorization, [spreadsheetHeader]: id, [spreadsheetNameHeader]: name };
  expect((await createGateway(buildCompanyResponse).request('/sheets/v1/me', { headers })).status).toBe(200);
}

it('a spreadsheet that two teams open shows each team only the name that its own connection sent', async () => {
  const [board, sales] = [newTeam(), newTeam()];
  await open(board, 'book-shared-1', 'Layoffs');
  await open(sales, 'book-shared-2', 'Leads');
  const find = await findSpreadsheetNames(drizzle(env.DB), ['book-shared-1', 'book-shared-2']);
  expect([find(board, 'book-shared-1'), find(sales, 'book-shared-1')]).toEqual(['Layoffs', undefined]);
  expect([find(board, 'book-shared-2'), find(sales, 'book-shared-2')]).toEqual([undefined, 'Leads']);
});

it('the next opening of a spreadsheet does not bring an erased name back', async () => {
  const team = newTeam();
  const find = async () =>
    (await findSpreadsheetNames(drizzle(env.DB), ['book-erased-1']))(team, 'book-erased-1');
  await open(team, 'book-erased-1', 'Offer for jane-doe');
  expect(await find()).toBe('Offer for jane-doe');
  const key = { family: 'employee_base', kind: 'shorthand_name', value: 'jane-doe' } as const;
  await deleteMentions(env.DB, [key]);
  await open(team, 'book-erased-1', 'Offer for jane-doe');
  expect(await find()).toBeUndefined();
  const { results } = await env.DB.prepare("SELECT * FROM spreadsheets WHERE name LIKE '%jane%'").all();
  expect(results).toEqual([]);
});
