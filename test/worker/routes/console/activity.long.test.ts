// Activity in the console: bulk orders, schedules, deliveries and failed messages, with their actions.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { beforeEach, describe, expect, it } from 'vitest';
import { teams, tokens } from '../../../../worker/db/schema.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { DeadLetterRepository } from '../../../../worker/queue/dead-letters.ts';
import { ServiceHarness } from '../../data-requests/service-harness.ts';
import { call } from '../../gateway/ledger/ledger-harness.ts';
import {
  insertEnrichment,
  insertPush,
  insertSchedule,
  insertTable,
  NOW,
  spendOnOrder,
} from '../admin/activity/fixtures.ts';
import { insertDataRequest } from '../sheets/fixtures.ts';
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

/** Opens a list with only this test's team. */
const openList = (path: string) => browser.open(`/console/activity${path}?team=${team}`);

describe('bulk orders', () => {
  it('are listed with their team, state and cost', async () => {
    const id = await insertDataRequest(team, { phase: 'ready', charged: 1240 });
    const { html } = await openList('');
    expect(html).toContain(`href="/console/activity/orders/${id}"`);
    expect(html).toContain('Activity &lt;img');
    expect(html).not.toContain(HOSTILE);
    expect(html).toContain('>1,240<');
    expect(html).toContain('>ready<');
  });

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

  it('lead to the settlement of a lost answer', async () => {
    const id = await insertDataRequest(team, { phase: 'unclear', charged: null });
    expect((await browser.open(`/console/activity/orders/${id}`)).html).toContain(
      `href="/console/teams/${team}/unclear"`,
    );
  });
});

describe('schedules', () => {
  it('are stopped after their highest cost is stated, and resumed', async () => {
    const table = await insertSchedule(team, token, { maxCredits: 200 });
    const address = `/console/activity/schedules/${team}.${table}`;
    expect((await openList('/schedules')).html).toContain('up to 6,200 credits a month');
    expect((await browser.submit(`${address}/stop`)).html).toContain('The schedule was stopped.');
    expect((await openList('/schedules')).html).toContain('>stopped<');
    expect((await browser.submit(`${address}/resume`)).html).toContain('The schedule was resumed.');
    expect((await openList('/schedules')).html).toContain('>on<');
  });

  it('say why they can’t be resumed', async () => {
    const table = await insertSchedule(team, 'revoked', { state: 'paused' });
    await openList('/schedules');
    const { status, html } = await browser.submit(`/console/activity/schedules/${team}.${table}/resume`);
    expect(status).toBe(400);
    expect(html).toContain('A colleague must take the schedule over');
  });
});

describe('columns that are kept filled', () => {
  it('are listed with their budgets, and stopped after what they may still cost is stated', async () => {
    const id = await insertEnrichment(team, token, { title: HOSTILE });
    await spendOnOrder(team, token, id, 30);
    const { html } = await openList('/filled');
    expect(html).not.toContain(HOSTILE);
    expect(html).toContain('>30 of 1,000<');
    expect(html).toContain('spend 970 credits');
    const stopped = await browser.submit(`/console/activity/filled/${team}.${id}/stop`);
    expect(stopped.html).toContain('The column is no longer kept filled.');
    const after = await openList('/filled');
    expect(after.html).toContain('>stopped<');
    expect(after.html).not.toContain('/stop"');
  });
});

describe('deliveries', () => {
  it('are retried if they have failed', async () => {
    const table = await insertTable(team, { title: HOSTILE });
    const id = await insertPush(team, table, { state: 'failed', problem: { problem: 'google_unavailable' } });
    const { html } = await openList('/deliveries');
    expect(html).toContain('&lt;img');
    expect(html).not.toContain(HOSTILE);
    const retry = `/console/activity/deliveries/${id}/retry`;
    expect((await browser.submit(retry)).html).toContain('The rows will be written again');
    expect((await openList('/deliveries')).html).not.toContain(retry);
  });
});

describe('failed messages', () => {
  it('are replayed, and stay in the list', async () => {
    const letter = {
      id: crypto.randomUUID(),
      at: NOW,
      kind: 'relay',
      teamId: team,
      requestId: crypto.randomUUID(),
    } as const;
    await new DeadLetterRepository(env.DB).insert({
      ...letter,
      body: '{}',
      code: 'http_500',
      error: `Refused: ${HOSTILE}`,
    });
    const { html } = await openList('/failed');
    expect(html).not.toContain(HOSTILE);
    const replay = `/console/activity/failed/${letter.id}/replay`;
    expect(html).toContain(replay);
    const after = await browser.submit(replay);
    expect(after.html).toContain('The message is being processed again.');
    expect(after.html).not.toContain(replay);
    const replayed = await browser.open(`/console/activity/failed?team=${team}&state=replayed`);
    expect(replayed.html).toContain(`href="/console/activity/orders/${letter.requestId}"`);
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
  it('are settled together after their number and credits are stated, as far as they match', async () => {
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
    expect(list).toContain('Settle all 2 of these');
    const { html } = await browser.open(`${address}/all?family=${family}`);
    expect(html).toContain('Keep 20 credits of 2 calls as spent');
    expect(html).toContain('Return 20 credits of 2 calls');
    // The second form: they were not charged.
    browser.html = html.slice(html.lastIndexOf('<form'));
    expect((await browser.submit(`${address}/all`)).html).toContain('The unclear calls were settled.');
    expect(await ledger.getBudget()).toMatchObject({ unclear: 10, spent: { day: 10 } });
  });

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
