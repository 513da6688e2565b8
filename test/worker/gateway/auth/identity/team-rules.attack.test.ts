// Attacks with rules for teams: people of other domains, leaks of addresses, and formulas in exports.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { TeamRuleList } from '../../../../../shared/api/admin-people.ts';
import type { Problem } from '../../../../../shared/problems.ts';
import { parseRevocation } from '../../../../../worker/gateway/auth/revocation-journal.ts';
import { repeatRevocation } from '../../../../../worker/operations/revocations.ts';
import { AUDIENCE } from '../../../../google-identity.ts';
import { clock } from '../../../platform.ts';
import { createSignInHarness } from './harness.ts';

it('people of another domain never join the team of a rule, whatever their address says', async () => {
  const { assign, importRules, createTeam, google, ok } = await createSignInHarness();
  await assign('acme.com');
  const vault = await createTeam('Vault');
  const rules = ['acme.com', '*@acme.com', 'ada@acme.com', '*@sub.acme.com', 'ada@sub.acme.com'];
  await importRules(`match,team\n${rules.map((rule) => `${rule},${vault.id}`).join('\n')}`);
  const others = ['notacme.com', 'acme.com.evil.example', 'evil.example', 'sub.acme.com.example'];
  for (const hd of others) {
    await assign(hd);
    for (const email of [
      'ada@acme.com',
      'ada@sub.acme.com',
      `ada@${hd}`,
      `ada@acme.com@${hd}`,
      `acme.com@${hd}`,
    ])
      expect([hd, email, (await ok(await google.sign({ sub: hd + email, hd, email }))).team]).toEqual([
        hd,
        email,
        'Sales',
      ]);
  }
  // The account of an assigned subdomain is not one of the domain above.
  await assign('sub.acme.com');
  const above = await google.sign({ sub: 'above', hd: 'sub.acme.com', email: 'bob@acme.com' });
  expect((await ok(above)).team).toBe('Sales');
});

it('a rule can’t be imported for a domain that is not assigned', async () => {
  const { assign, admin } = await createSignInHarness();
  const { team } = await assign('acme.com');
  for (const match of [
    'evil.example',
    '*@com',
    'com',
    'ada@notacme.com',
    '*@*.acme.com',
    '*',
    '*@',
    '@acme.com',
  ]) {
    const response = await admin('PUT', '/team-rules', { rules: [{ match, team }] });
    expect([match, response.status]).toEqual([match, 422]);
  }
});

it('addresses are encrypted, and in no problem and no audit entry', async () => {
  const { assign, importRules, admin } = await createSignInHarness();
  const { team } = await assign('acme.com');
  await importRules(`match,team\nsecret.ada@acme.com,${team}\n`);
  const wrong = await admin('PUT', '/team-rules', { csv: 'match,team\nsecret.bob@acme.com,Nobody\n' });
  expect(JSON.stringify(await wrong.json<Problem>())).not.toContain('secret');
  for (const table of ['team_rules', 'audit']) {
    const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all();
    expect(results.length).toBeGreaterThan(0);
    expect(JSON.stringify(results)).not.toContain('secret');
  }
});

it('a team that is named like the id of another one takes none of its people: the name is refused', async () => {
  const { assign, importRules, createTeam, adminOk } = await createSignInHarness();
  await assign('acme.com');
  const vault = await createTeam('Strongroom');
  const twin = await createTeam(vault.id);
  const detail = 'It is the id of one team and the name of another one.';
  expect(await importRules(`match,team\nada@acme.com,${vault.id}\n`, true)).toMatchObject({
    problems: [{ line: 2, detail }],
  });
  await importRules(`match,team\nada@acme.com,Strongroom\nbob@acme.com,${twin.id}\n`);
  const { rules } = await adminOk<TeamRuleList>('GET', '/team-rules');
  expect(rules).toMatchObject([
    { match: 'ada@acme.com', team: vault.id, same_name: false },
    { match: 'bob@acme.com', team: twin.id, same_name: true },
  ]);
});

it('an export starts no formula, and can be imported again', async () => {
  const { assign, importRules, createTeam, admin } = await createSignInHarness();
  await assign('acme.com');
  const { id } = await createTeam('=HYPERLINK("https://evil.example")');
  await importRules(`match,team\n+1@acme.com,${id}\n-1@acme.com,${id}\n`);
  const csv = await (await admin('GET', '/team-rules?format=csv')).text();
  expect(csv).toContain(`'+1@acme.com`);
  expect(csv).not.toMatch(/(?:^|[,\n])"?[=+\-@]/m);
  expect(await importRules(csv, true)).toMatchObject({ rules: 2, problems: [], added: 0, changed: 0 });
});

it('a restore of the database repeats the last import, and forgets deleted people', async () => {
  const { assign, importRules, adminOk, google, ok, listPeople } = await createSignInHarness();
  const { team } = await assign('acme.com');
  const list = () => env.ROWS.list({ prefix: 'journal/revocations/' });
  await env.ROWS.delete((await list()).objects.map(({ key }) => key));
  await importRules(`match,team\nada@acme.com,${team}\nbob@acme.com,${team}\n`);
  await ok(await google.sign({ sub: 'ada', email: 'ada@acme.com' }));
  clock.now += 1000;
  const [{ id = '' } = {}] = await listPeople();
  await adminOk('DELETE', `/people/${id}`);
  await env.DB.exec('DELETE FROM team_rules');
  for (const { key } of (await list()).objects)
    await repeatRevocation(env, parseRevocation(await (await env.ROWS.get(key))?.json()));
  expect(await adminOk('GET', '/team-rules')).toMatchObject({ rules: [{ match: 'bob@acme.com', team }] });
});

it('people whose rule was removed lose their token when the domain has no team any more', async () => {
  const { assign, importRules, createTeam, adminOk, google, ok } = await createSignInHarness();
  await assign('acme.com');
  const vault = await createTeam('Vault');
  const [ada, bob] = ['ada@acme.com', 'bob@acme.com'];
  const countTokens = () =>
    env.DB.prepare('SELECT count(*) AS count FROM tokens WHERE team_id = ? AND revoked_at IS NULL')
      .bind(vault.id)
      .first('count');
  await importRules(`match,team\n${ada},${vault.id}\n${bob},${vault.id}\n`);
  for (const email of [ada, bob]) await ok(await google.sign({ sub: email, email }));
  await importRules(`match,team\n${bob},${vault.id}\n`);
  expect(await countTokens()).toBe(2);
  await adminOk('PUT', '/domains/acme.com', { team: null, audience: AUDIENCE });
  expect(await countTokens()).toBe(1);
});
