// Data requests that have ended: their team is told once, in words without anything that was asked for.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it, vi } from 'vitest';
import { enqueueRequestAlert } from '../../../../worker/tables/alerts/request-alerts.ts';
import { AlertStore } from '../../../../worker/tables/alerts/store.ts';
import { ServiceHarness } from '../../data-requests/service-harness.ts';
import { clock } from '../../platform.ts';

const address = {
  id: crypto.randomUUID(),
  teamId: 'team',
  url: 'https://hooks.example.com/x',
  kinds: ['failure' as const, 'change' as const],
  createdAt: 0,
  lastAt: null,
  lastDelivered: null,
};

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await env.DB.batch([env.DB.prepare('DELETE FROM alert_messages'), env.DB.prepare('DELETE FROM alerts')]);
  await new AlertStore(env.DB).add(address);
});

async function told(): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT subject, body FROM alert_messages').all<{
    subject: string;
    body: string;
  }>();
  return results.map(({ subject, body }) => `${subject} ${JSON.parse(body).text}`);
}

it('one that is ready is told of once, with its rows and its credits', async () => {
  const harness = new ServiceHarness();
  const { id } = await harness.createRequest();
  await harness.runSteps(id);
  const expected = `request:${id} Team: A bulk request for 2 records (company) is ready: 2 rows, 20 credits.`;
  expect(await told()).toEqual([expected]);
  await enqueueRequestAlert(env, await harness.getRow(id), clock.now);
  expect(await told()).toEqual([expected]);
});

it('one that has failed is told of in the gateway’s own words', async () => {
  const harness = new ServiceHarness({
    create: () => Response.json({ detail: 'Ada Lovelace is not allowed' }, { status: 422 }),
  });
  const { id } = await harness.createRequest({ keys: ['7', '8', '9'] });
  await harness.runSteps(id);
  expect(await told()).toEqual([
    `request:${id} Team: A bulk request for 3 records (company) has failed. The request is not valid. Correct the part that the message names, then send the request again.`,
  ]);
});
