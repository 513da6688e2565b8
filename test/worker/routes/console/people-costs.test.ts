// The console's rules for teams and costs by person: preview before an import, names in place of ids, files.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { expect, it } from 'vitest';
import { domains, people, teams, tokens, usageDays } from '../../../../worker/db/schema.ts';
import { getEmailPlace } from '../../../../worker/gateway/auth/identity/people-repository.ts';
import { encryptStored } from '../../../../worker/http/secrets.ts';
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
