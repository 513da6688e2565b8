// The console's rules for teams and costs by person: preview before an import, names in place of ids, files.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { expect, it } from 'vitest';
import { domains, people, teams, tokens, usageDays } from '../../../../worker/db/schema.ts';
import { getEmailPlace } from '../../../../worker/gateway/auth/identity/people-repository.ts';
import { encryptStored } from '../../../../worker/http/secrets.ts';
import { longIt } from '../../../pick-cases.ts';
import { ConsoleDeployment } from './browser.ts';

const NOW = Date.UTC(2044, 4, 17, 12);
const orm = drizzle(env.DB);

it('rules are previewed, corrected, replaced and exported', async () => {
  await orm.insert(teams).values([
    { id: 'rules-a', name: 'Alpha', createdAt: NOW },
    { id: 'rules-b', name: 'Beta', createdAt: NOW },
  ]);
  const rights = { families: null, operations: null, dayCap: null, monthCap: null };
  const limits = { ratePerMinute: 60, tokenDays: 30, createdAt: NOW, version: '1', audience: 'aud' };
  await orm.insert(domains).values({ domain: 'rules.example', teamId: null, ...rights, ...limits });
  const browser = await new ConsoleDeployment().signIn();
  expect((await browser.open('/console/people')).html).toContain('only people with a rule');
  await browser.open('/console/team-rules');
  const PREVIEW = '/console/team-rules/preview';

  const wrong = await browser.submit(PREVIEW, { csv: 'match,team\nada@rules.example,Gamma\n' });
  expect(wrong.html).toMatch(
    /<h1>Correct these lines<.*ada@rules\.example,Gamma<.*No team has this id or name\./s,
  );
  const broken = await browser.submit(PREVIEW, { csv: 'ada@rules.example,Alpha' });
  expect([broken.status, broken.html.includes('match,team')]).toEqual([400, true]);

  const preview = await browser.submit(PREVIEW, { csv: 'match,team\n*@rules.example,Beta\n' });
  expect(preview.html).toMatch(/<h1>Replace the rules\?<.*\*@rules\.example<.*Beta</s);
  expect((await browser.open('/console/team-rules')).html).toContain('There are no rules');
  browser.html = preview.html;
  const done = await browser.submit('/console/team-rules');
  expect(done.html).toMatch(/The rules were replaced\..*<a href="\/console\/teams\/rules-b">Beta<\/a>/s);
  expect(done.path).not.toContain('rules.example');
  const csv = await browser.request('/console/team-rules/export');
  expect(await csv.text()).toContain('*@rules.example,rules-b,Beta');

  expect(done.html).toContain('*@rules.example,Beta');
  await orm.insert(teams).values({ id: 'rules-c', name: 'Beta', createdAt: NOW });
  const twins = await browser.open('/console/team-rules');
  const [, unchanged = ''] = /<textarea[^>]*>([^<]*)</.exec(twins.html) ?? [];
  expect(unchanged).toContain('*@rules.example,rules-b');
  expect((await browser.submit(PREVIEW, { csv: unchanged })).html).toContain(
    'The list equals the present one.',
  );
});

it('costs of a range of days name people, and are exported with all teams', async () => {
  const grant = { teamId: 'rules-a', prefix: 'cds', createdAt: NOW };
  await orm.insert(tokens).values([
    { id: 'costs-ada', hash: 'costs-ada', personId: 'costs-ada', name: 'x', ...grant },
    { id: 'costs-link', hash: 'costs-link', name: 'Trade <fair>', ...grant },
  ]);
  const email = await encryptStored(env, 'ada@rules.example', getEmailPlace('costs-ada'));
  const person = { id: 'costs-ada', domain: 'rules.example', email, tokenId: 'costs-ada', revokedAt: null };
  await orm.insert(people).values({ ...person, createdAt: NOW, lastSeenAt: NOW, byRule: false });
  const counts = {
    hit: 0,
    stale: 0,
    coalesced: 0,
    fetched: 1,
    notFound: 0,
    failed: 0,
    latencyMs: 0,
    saved: 0,
  };
  const key = { family: 'company_clean', operation: 'enrich', teamId: 'rules-a' } as const;
  await orm.insert(usageDays).values([
    { ...key, ...counts, day: '2044-05-02', tokenId: 'costs-ada', credits: 30 },
    { ...key, ...counts, day: '2044-04-30', tokenId: 'costs-link', credits: 7 },
  ]);
  const deployment = new ConsoleDeployment();
  deployment.clock.now = NOW;
  const browser = await deployment.signIn();
  const { html } = await browser.open('/console/costs/people');
  expect(html).toMatch(/ada@rules\.example<.*30<.*Person<.*Alpha</s);
  expect((await browser.open('/console/teams/rules-a/tokens')).html).toMatch(/ada@rules\.example<.*Trade/s);
  expect(html).not.toContain('Trade');
  const [, lastMonth = ''] = /href="([^"]*)"[^>]*>Last month</.exec(html) ?? [];
  const earlier = await browser.open(lastMonth.replaceAll('&amp;', '&'));
  expect(earlier.html).toContain('Trade &lt;fair&gt;');
  expect(earlier.html).not.toContain('ada@rules.example');
  const csv = await browser.request('/console/costs/people/export?from=2044-04-01&to=2044-05-31');
  expect((await csv.text()).trim().split('\r\n').slice(1)).toEqual([
    'Alpha,person,ada@rules.example,,30,0,0,1,rules-a',
    'Alpha,connection,Trade <fair>,,7,0,0,1,rules-a',
  ]);
});

it('domains are listed in pages', async () => {
  const rights = { families: null, operations: null, dayCap: null, monthCap: null };
  const limits = { ratePerMinute: 60, tokenDays: 30, createdAt: NOW, version: '1', audience: 'aud' };
  for (let at = 0; at < 51; at += 1)
    await orm
      .insert(domains)
      .values({ domain: `page${at}.zz.example`, teamId: 'rules-a', ...rights, ...limits });
  const browser = await new ConsoleDeployment().signIn();
  const first = await browser.open('/console/people');
  const [, next = ''] = /href="([^"]*domains_after=[^"]*)"/.exec(first.html) ?? [];
  const second = await browser.open(next);
  const shown = [first, second].flatMap(({ html }) => html.match(/page\d+\.zz\.example(?=<)/g) ?? []);
  expect(new Set(shown).size).toBe(51);
});

it('a range with reversed dates shows the form again, with the problem beside the field', async () => {
  const browser = await new ConsoleDeployment().signIn();
  const { status, html } = await browser.open('/console/costs/people?from=2044-05-02&to=2044-05-01');
  expect(status).toBe(400);
  expect(html).toMatch(/<h1>Costs by person<.*name="from"[^>]*value="2044-05-02"/s);
  expect(html).toMatch(
    /name="to" aria-describedby="to-problem" aria-invalid="true"[^>]*value="2044-05-01"[^>]*>\s*<p class="wrong" id="to-problem"[^>]*>Is before the first day\.</,
  );
});

longIt('a team is chosen by its name where more exist than a list shows', async () => {
  const deployment = new ConsoleDeployment();
  deployment.clock.now = NOW;
  const browser = await deployment.signIn();
  const open = (team: string) => browser.open(`/console/costs/people?team=${team}&from=2044-05-01`);
  expect((await open('rules-a')).html).toMatch(/<option value="rules-a" selected[^>]*>Alpha</);
  const many = Array.from({ length: 200 }, (_, at) => ({ id: `many-${at}`, name: 'Many', createdAt: NOW }));
  for (let at = 0; at < many.length; at += 10) await orm.insert(teams).values(many.slice(at, at + 10));
  for (const text of ['rules-a', 'Alpha']) {
    const { html } = await open(text);
    expect(html).toMatch(/<input[^>]* name="team"[^>]* value="Alpha"[^>]* list="teams"/);
    expect(html).toMatch(/<option value="Alpha">Alpha<.*<option value="many-7">Many</s);
    expect(html).toContain('export?from=2044-05-01&amp;to=2044-05-17&amp;team=rules-a');
  }
  const { status, html } = await open('Many');
  expect([status, html.includes('Several teams have this name: write the id of one.')]).toEqual([400, true]);
});
