// Imported rules map people of a domain to several teams.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { SubjectReport } from '../../../../../shared/api/admin-erasures.ts';
import type { TeamRuleList } from '../../../../../shared/api/admin-people.ts';
import type { Problem } from '../../../../../shared/problems.ts';
import { AUDIENCE } from '../../../../google-identity.ts';
import { createSignInHarness } from './harness.ts';

/** Creates a gateway with acme.com and teams of three names. */
async function createRules(settings: { team?: string | null } = {}) {
  const harness = await createSignInHarness();
  const [sales, support, board] = await Promise.all([
    harness.createTeam(`Sales ${crypto.randomUUID()}`),
    harness.createTeam(`Support ${crypto.randomUUID()}`),
    harness.createTeam(`Board ${crypto.randomUUID()}`),
  ]);
  const { team = sales.id } = settings;
  await harness.adminOk('PUT', '/domains/acme.com', { team, audience: AUDIENCE });
  const signIn = async (email: string) => harness.ok(await harness.google.sign({ sub: email, email }));
  return { ...harness, sales, support, board, signIn };
}

describe('a person', () => {
  it('joins the team of the most specific rule, whatever their order and the case of the address', async () => {
    const { importRules, sales, support, board, signIn } = await createRules();
    const names = `acme.com,${sales.id}\nsales.acme.com,${support.name}\n*@eu.sales.acme.com,${board.id}`;
    await importRules(`match,team\n${names}\nBob@eu.sales.acme.com,${support.id}\n`);
    const teams = {
      'ada@acme.com': sales.name,
      'ada@hr.acme.com': sales.name,
      'ada@sales.acme.com': support.name,
      'ada@us.sales.acme.com': support.name,
      'ada@eu.sales.acme.com': board.name,
      'bOb@eu.sales.acme.com': support.name,
      'ada@x.eu.sales.acme.com': support.name,
    };
    for (const [email, team] of Object.entries(teams))
      expect([email, (await signIn(email)).team]).toEqual([email, team]);
  });

  it('without a rule is refused if the domain has no team', async () => {
    const { importRules, sales, signIn, problem, google } = await createRules({ team: null });
    await importRules(`match,team\nada@acme.com,${sales.id}\n`);
    await signIn('ada@acme.com');
    expect(await problem(await google.sign({ sub: 'bob', email: 'bob@acme.com' }))).toMatchObject({
      code: 'domain_not_assigned',
      fix: expect.stringContaining('rules for teams'),
    });
  });

  it('stays connected until the next sign-in, which moves them and ends the former token', async () => {
    const { importRules, support, signIn, change, readAccount, adminOk } = await createRules();
    const former = await signIn('ada@acme.com');
    await signIn('bob@acme.com');
    const csv = `match,team\nada@acme.com,${support.id}\n`;
    expect((await importRules(csv, true)).mismatched).toEqual({ moving: 1, unmatched: 0, more: false });
    await importRules(csv);
    expect(await readAccount(former.token)).toBe(200);
    expect(await adminOk('GET', '/team-rules')).toMatchObject({ mismatched: { moving: 1 } });
    const moved = await signIn('ada@acme.com');
    expect(moved.team).toBe(support.name);
    expect([await change(former.token), await change(moved.token)]).toEqual([401, 422]);
    expect(await adminOk('GET', '/team-rules')).toMatchObject({ mismatched: { moving: 0 } });
  });

  it('with a rule keeps the token when the team of the domain changes; others get a new one', async () => {
    const { importRules, support, board, signIn, change, adminOk } = await createRules();
    await importRules(`match,team\nada@acme.com,${support.id}\n`);
    const [ada, bob] = [await signIn('ada@acme.com'), await signIn('bob@acme.com')];
    await adminOk('PUT', '/domains/acme.com', { team: board.id, audience: AUDIENCE });
    expect([await change(ada.token), await change(bob.token)]).toEqual([422, 401]);
    expect((await signIn('bob@acme.com')).team).toBe(board.name);
  });

  it('who is deleted leaves no rule, and the subject report counts the rule before', async () => {
    const { importRules, support, signIn, adminOk, listPeople } = await createRules();
    await importRules(`match,team\nada@acme.com,${support.id}\nbob@acme.com,${support.id}\n`);
    await signIn('ada@acme.com');
    const report = () => adminOk<SubjectReport>('POST', '/subject-report', { email: 'Ada@acme.com' });
    expect(await report()).toMatchObject({ team_rules: 1, accounts: [{ email: 'ada@acme.com' }] });
    const [{ id = '' } = {}] = await listPeople();
    await adminOk('DELETE', `/people/${id}`);
    expect(await report()).toMatchObject({ team_rules: 0, accounts: [] });
    const { rules } = await adminOk<TeamRuleList>('GET', '/team-rules');
    expect(rules.map(({ match }) => match)).toEqual(['bob@acme.com']);
    const { results } = await env.DB.prepare('SELECT id FROM tokens WHERE person_id = ?').bind(id).all();
    expect(results).toEqual([]);
  });
});

describe('an import', () => {
  it('replaces the list, and a preview says what it would change and changes nothing', async () => {
    const { importRules, sales, support, admin, adminOk } = await createRules();
    await importRules(`match,team\nada@acme.com,${sales.id}\nbob@acme.com,${sales.id}\n`);
    const exported = await (await admin('GET', '/team-rules?format=csv')).text();
    expect(await importRules(exported, true)).toMatchObject({ added: 0, changed: 0, removed: 0, rules: 2 });

    const next = `"match";"note";"team"\r\n"ada@acme.com";"";"${support.name}"\r\n"acme.com";"";"${sales.name}"\r\n`;
    const change = {
      ...{ rules: 2, problems: [], added: 1, changed: 1, removed: 1 },
      changes: [
        { match: 'ada@acme.com', from: sales.name, to: support.name },
        { match: 'acme.com', from: null, to: sales.name },
        { match: 'bob@acme.com', from: sales.name, to: null },
      ],
    };
    expect(await importRules(next, true)).toMatchObject(change);
    expect(await (await admin('GET', '/team-rules?format=csv')).text()).toBe(exported);
    expect(await importRules(next)).toMatchObject(change);
    const { rules } = await adminOk<TeamRuleList>('GET', '/team-rules');
    expect(rules).toMatchObject([
      { match: 'acme.com', team: sales.id, team_name: sales.name },
      { match: 'ada@acme.com', team: support.id, team_name: support.name },
    ]);
    expect(await adminOk('GET', '/audit?limit=1')).toMatchObject({
      audit: [
        {
          action: 'team_rules.import',
          target: 'all',
          detail: { rules: 2, added: 1, changed: 1, removed: 1 },
        },
      ],
    });
  });

  it('names the line and the fix of each bad line, and changes nothing', async () => {
    const { importRules, createTeam, admin, sales, adminOk } = await createRules();
    const twin = `Twin ${crypto.randomUUID()}`;
    await createTeam(twin);
    await createTeam(twin);
    const bad = [
      `ada@@acme.com,${sales.id}`,
      `ada@other.com,${sales.id}`,
      '',
      'bob@acme.com,Nobody',
      `carl@acme.com,${twin}`,
      `dora@acme.com,${sales.id}`,
      `Dora@acme.com,${sales.id}`,
      `*acme.com,${sales.id}`,
    ].join('\n');
    const { problems } = await importRules(`match,team\n${bad}`, true);
    expect(problems.map(({ line, detail }) => [line, detail])).toEqual([
      [2, 'It has no address, pattern or domain.'],
      [3, 'Its domain is not assigned.'],
      [5, 'No team has this id or name.'],
      [6, 'Several teams have this name.'],
      [8, 'It repeats line 7.'],
      [9, 'It has no address, pattern or domain.'],
    ]);
    const response = await admin('PUT', '/team-rules', { csv: `match,team\n${bad}` });
    expect([response.status, await response.json<Problem>()]).toEqual([
      422,
      expect.objectContaining({
        code: 'invalid_request',
        detail:
          'Nothing was imported: 6 of 7 lines are invalid. Line 2: It has no address, pattern or domain.',
        fix: expect.stringContaining('*@sales.acme.com'),
      }),
    ]);
    expect(await adminOk('GET', '/team-rules')).toMatchObject({ rules: [] });
  });

  it.each([
    ['team,address\nSales,ada@acme.com', 'headings'],
    ['match,team\n"ada@acme.com,Sales', 'Line 2'],
    [`match,team\n${'a@acme.com,Sales\n'.repeat(5001)}`, '5,000'],
  ])('of %.20s has a clear problem', async (csv, part) => {
    const { admin } = await createRules();
    const response = await admin('PUT', '/team-rules', { csv });
    expect([response.status, (await response.json<Problem>()).detail]).toEqual([
      422,
      expect.stringContaining(part),
    ]);
  });

  it('as JSON numbers lines from 1, and needs either form', async () => {
    const { admin, adminOk, sales } = await createRules();
    const rules = [{ match: 'acme.com', team: sales.id }];
    expect(await adminOk('PUT', '/team-rules', { rules })).toMatchObject({ added: 1 });
    const wrong = await admin('PUT', '/team-rules', { rules: [{ match: 'x', team: sales.id }] });
    expect((await wrong.json<Problem>()).detail).toContain('Line 1:');
    expect((await admin('PUT', '/team-rules', { rules, csv: 'match,team' })).status).toBe(422);
    expect((await admin('PUT', '/team-rules', {})).status).toBe(422);
  });
});

it('a deleted team leaves the domain to people with rules of other teams', async () => {
  const { importRules, sales, support, signIn, problem, google, adminOk } = await createRules();
  await importRules(`match,team\nada@acme.com,${support.id}\nbob@acme.com,${sales.id}\n`);
  await adminOk('DELETE', `/teams/${sales.id}`);
  expect((await signIn('ada@acme.com')).team).toBe(support.name);
  expect(await problem(await google.sign({ sub: 'bob', email: 'bob@acme.com' }))).toMatchObject({
    code: 'domain_not_assigned',
  });
  await adminOk('DELETE', `/teams/${support.id}`);
  expect(await adminOk('GET', '/team-rules')).toMatchObject({ rules: [] });
});
