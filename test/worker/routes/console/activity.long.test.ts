// Activity in the console: bulk orders, schedules, deliveries and failed messages, with their actions.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { beforeEach, describe, expect, it } from 'vitest';
import { teams, tokens } from '../../../../worker/db/schema.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { ServiceHarness } from '../../data-requests/service-harness.ts';
import { call } from '../../gateway/ledger/ledger-harness.ts';
import { NOW } from '../admin/activity/fixtures.ts';
import { type Browser, ConsoleDeployment } from './browser.ts';

const HOSTILE = `<img src=x onerror=alert(1)>`;

let browser: Browser;
let team = '';
let token = '';

beforeEach(async () => {
  const deployment = new ConsoleDeployment();
  deployment.clock.now = NOW;
  browser = await deployment.signIn();
  team = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
  token = crypto.randomUUID();
  const orm = drizzle(env.DB);
  await orm.insert(teams).values({ id: team, name: `Activity ${HOSTILE}`, createdAt: NOW });
  await orm.insert(tokens).values({
    id: token,
    teamId: team,
    hash: crypto.randomUUID(),
    prefix: 'cds_',
    name: 'Payer',
    createdAt: NOW,
  });
});

describe('bulk orders', () => {
  it('are stopped after the effect is stated in credits, and show what happened', async () => {
    const harness = new ServiceHarness();
    const { id } = await harness.createRequest();
    const address = `/console/activity/orders/${id}`;
    expect((await browser.open(address)).html).toContain('20 credits return to the team.');
    const { html, path } = await browser.submit(`${address}/stop`);
    expect(path).toBe(`${address}?notice=/activity/orders/:id/stop`);
    expect(html).toContain('The bulk order was stopped.');
    expect(html).toContain('Stopped before it was sent.');
    expect(html).not.toContain(`${address}/stop`);
    expect(html).not.toContain('data-live');
  });
});

describe('unclear calls', () => {
  it('are settled one by one, and return their credits if they were not charged', async () => {
    const ledger = getLedger(env, team);
    await ledger.setBudget({ caps: { day: 100 } });
    const names = ['first', 'second'];
    await ledger.reserveMany(
      names.map((name) => call(10, token, name)),
      0,
    );
    await ledger.settleMany(names.map((name) => ({ id: name, charged: 'unclear' })));
    const address = `/console/teams/${team}/unclear`;
    expect((await browser.open(`/console/teams/${team}`)).html).toContain(address);
    expect((await browser.open(address)).html).toContain('They count as spent: 20 credits.');
    const form = browser.html;
    expect((await browser.submit(`${address}/free`)).html).toContain('The unclear calls were settled.');
    expect(await ledger.getBudget()).toMatchObject({ unclear: 10, spent: { day: 10 } });
    browser.html = form;
    const again = await browser.submit(`${address}/free`);
    expect([again.status, again.html.includes('no longer unclear')]).toEqual([400, true]);
    await browser.open(address);
    await browser.submit(`${address}/charged`);
    expect(await ledger.getBudget()).toMatchObject({ unclear: 0, spent: { day: 10 } });
    expect((await browser.open(address)).html).toContain('The outcome of every call is known.');
  });
});
