// A release with identity connection against the real Worker: sign-in, spending on the person's token, revocation.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import type { TeamView, TokenView } from '../../shared/api/admin.ts';
import type { AdminResponse } from '../../shared/api/admin-endpoints.ts';
import type { PersonView } from '../../shared/api/admin-people.ts';
import { buildAddon } from '../../worker/commands/build/addon.ts';
import { AUDIENCE } from '../google-identity.ts';
import { signIdentity } from '../google-identity-server.ts';
import { getSampleWebsites } from './functions/sheets.ts';
import { callAdmin } from './functions/teams.ts';
import { createEnrichOrder, createList } from './server/orders.ts';
import { completeRun, openInstanceSidebar, tryStartRun } from './server/sidebar.ts';
import { readBuiltAddon, realFetch } from './spreadsheet.ts';

/** The release calls https only; the instance answers at this address. */
const GATEWAY = 'https://data.acme.example';
const DOMAIN = 'acme.example';
const VIEWER = `ada@${DOMAIN}`;
const BUDGET = 50;

async function buildRelease() {
  const outDir = await mkdtemp(join(tmpdir(), 'cdapi-identity-'));
  onTestFinished(() => rm(outDir, { recursive: true }));
  await buildAddon({ outDir, gateway: GATEWAY, identity: true });
  return readBuiltAddon(outDir);
}

it('signs a person in, spends on the person’s token, and stops when the admin revokes the person', async () => {
  const team = await callAdmin<TeamView>('POST', 'teams', { name: 'Sales of Acme' });
  await callAdmin('PUT', `domains/${DOMAIN}`, { team: team.id, audience: AUDIENCE, budget: { day: BUDGET } });
  const readSpending = async () => {
    const { tokens } = await callAdmin<{ tokens: TokenView[] }>('GET', `teams/${team.id}/tokens`);
    return tokens.map(({ id, budget }) => [id, budget.spent.day]);
  };
  onTestFinished(() => callAdmin('DELETE', `teams/${team.id}`));
  const [first = '', second = '', third = ''] = (await getSampleWebsites()).toReversed();
  const sidebar = await openInstanceSidebar({
    ...(await buildRelease()),
    workbook: createList([first, second]),
    fetch: (request) => realFetch({ ...request, url: request.url.replace(GATEWAY, inject('session').url) }),
    properties: {},
    people: { owner: VIEWER, viewer: VIEWER },
    identityToken: (email) => signIdentity(inject('googleKeysUrl'), { email, hd: DOMAIN }),
  });

  const { connection } = await sidebar.callOk('status', {});
  expect(connection).toMatchObject({ for: 'identity', isNew: true, team: team.name, remaining: BUDGET });
  await sidebar.callOk('confirmAccount', {});

  // Other suites of the instance may have bought these records: only a maximum age makes them cost credits again.
  const done = await completeRun(sidebar, 'startEnrich', createEnrichOrder({ maxAgeDays: 0 }));
  expect(done).toMatchObject({ state: 'done', rows: 2 });
  expect(sidebar.getValues('Sheet1')[1]?.[1]).toEqual(expect.any(String));
  const [person, ...others] = (await callAdmin<AdminResponse<'listPeople'>>('GET', `people?domain=${DOMAIN}`))
    .people;
  expect([person?.email, others]).toEqual([VIEWER, []]);
  const spending = [[person?.token_id, done.credits]];
  await expect.poll(readSpending).toEqual(spending);
  expect(done.credits).toBeGreaterThan(0);

  await callAdmin<PersonView>('PATCH', `people/${person?.id}`, { revoked: true });
  sidebar.edit(() => createList([third]));
  const failure = { code: 'person_revoked', message: expect.stringContaining('Ask your admin') };
  // The gateway accepts a revoked token for reading some seconds longer, so the price may still be answered.
  const start = await tryStartRun(sidebar, 'startEnrich', createEnrichOrder());
  const refusal = start.ok ? (await sidebar.callOk('step', { runId: start.value.runId })).failure : start;
  expect(refusal).toMatchObject(failure);
  expect(sidebar.getValues('Sheet1')[1]).toEqual([third]);
  expect(await sidebar.callOk('status', {})).toMatchObject({ connection: null, failure });
  expect(await readSpending()).toEqual(spending);
});
