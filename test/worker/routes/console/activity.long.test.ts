// Activity in the console: bulk orders, schedules, deliveries and failed messages, with their actions.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { beforeEach, describe, expect, it } from 'vitest';
import { teams, tokens } from '../../../../worker/db/schema.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { DeadLetterRepository } from '../../../../worker/queue/dead-letters.ts';
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

describe('several failed messages', () => {
  it('are dismissed after their number is stated, without those that do not match', async () => {
    const letters = new DeadLetterRepository(env.DB);
    const insert = async (code: string): Promise<string> => {
      const id = crypto.randomUUID();
      const failure = { code, error: 'It failed.' };
      await letters.insert({ id, at: NOW, kind: 'alert', teamId: team, requestId: id, body: '', ...failure });
      return id;
    };
    const gone = [await insert('http_410'), await insert('http_410')];
    const other = await insert('http_500');
    const query = `team=${team}&code=http_410`;
    const { html: list } = await browser.open(`/console/activity/failed?${query}`);
    expect(list).toContain(`/console/activity/dismiss-failed?${query.replace('&', '&amp;')}`);
    expect(list).not.toContain(other);
    const single = await insert('http_410');
    await browser.open(`/console/activity/failed?${query}`);
    const { path, html: kept } = await browser.submit(`/console/activity/failed/${single}/dismiss`);
    expect(path).toContain(`/console/activity/failed?${query}&notice=`);
    expect(kept).not.toContain(other);
    gone.push(single);
    const { html } = await browser.open(`/console/activity/dismiss-failed?${query}`);
    expect(html).toContain('Dismiss 2 messages?');
    const { html: after } = await browser.submit('/console/activity/dismiss-failed');
    expect(after).toContain('The messages were dismissed.');
    const left = await letters.list(undefined, 10, { team, state: 'open' });
    expect(left.map(({ id }) => id)).toEqual([other]);
    const dismissed = await letters.list(undefined, 10, { team, state: 'dismissed' });
    expect(dismissed.map(({ id }) => id).sort()).toEqual(gone.sort());
    expect((await browser.open(`/console/activity/replay-failed?${query}`)).html).toContain(
      'No open message matches.',
    );
  });
});

describe('unclear calls', () => {
  it('are reconciled together after their number and credits are stated, as far as they match', async () => {
    const ledger = getLedger(env, team);
    await ledger.setBudget({ caps: { day: 100 } });
    const names = ['one', 'two', 'three'];
    await ledger.reserveMany(
      names.map((name) => ({
        ...call(10, token, name),
        ...(name === 'three' ? { family: 'job_base' as const } : {}),
      })),
      0,
    );
    await ledger.settleMany(names.map((name) => ({ id: name, charged: 'unclear' })));
    const { family } = call(10, token, 'one');
    const address = `/console/teams/${team}/unclear`;
    const { html: list } = await browser.open(`${address}?family=${family}`);
    expect(list).toContain('Reconcile all 2 of these');
    const { html } = await browser.open(`${address}/all?family=${family}`);
    expect(html).toContain('Keep 20 credits of 2 calls as spent');
    expect(html).toContain('Return 20 credits of 2 calls');
    // The second form: they were not charged.
    browser.html = html.slice(html.lastIndexOf('<form'));
    expect((await browser.submit(`${address}/all`)).html).toContain('The unclear calls were reconciled.');
    expect(await ledger.getBudget()).toMatchObject({ unclear: 10, spent: { day: 10 } });
  });

  it('are reconciled one by one, and return their credits if they were not charged', async () => {
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
    expect((await browser.submit(`${address}/free`)).html).toContain('The unclear calls were reconciled.');
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
