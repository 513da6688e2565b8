// Attacks with the names of spreadsheets, which callers choose.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { spreadsheetHeader, spreadsheetNameHeader } from '../../../../shared/sources.ts';
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
