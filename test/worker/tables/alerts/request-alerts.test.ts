// Alerts about ended data requests. They never quote the request.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it, vi } from 'vitest';
import { AlertStore } from '../../../../worker/tables/alerts/store.ts';
import { enqueueRequestAlert } from '../../../../worker/tables/data-request-listener.ts';
import { ServiceHarness } from '../../data-requests/service-harness.ts';
import { clock } from '../../platform.ts';

const address = {
  id: crypto.randomUUID(),
  teamId: 'team',
  url: 'https://hooks.example.com/x',
  kinds: ['failure' as const, 'change' as const],
  budgetPercents: [80, 100],
  createdAt: 0,
  lastAt: null,
  lastError: null,
};

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await env.DB.batch([env.DB.prepare('DELETE FROM alert_messages'), env.DB.prepare('DELETE FROM alerts')]);
  await new AlertStore(env.DB).add(address);
});

async function listAlerts(): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT subject, body FROM alert_messages').all<{
    subject: string;
    body: string;
  }>();
  return results.map(({ subject, body }) => `${subject} ${JSON.parse(body).text}`);
}

it('reports a ready request once, with rows and credits', async () => {
  const harness = new ServiceHarness();
  const { id } = await harness.createRequest();
  await harness.runSteps(id);
  const expected = `request:${id} Team: A bulk request for 2 records (company) is ready: 2 rows, 20 credits.`;
  expect(await listAlerts()).toEqual([expected]);
  await enqueueRequestAlert(env, await harness.getRow(id), clock.now);
  expect(await listAlerts()).toEqual([expected]);
});

it('reports a failed request without the provider’s message', async () => {
  const harness = new ServiceHarness({
    create: () => Response.json({ detail: 'Ada Lovelace is not allowed' }, { status: 422 }),
  });
  const { id } = await harness.createRequest({ keys: ['7', '8', '9'] });
  await harness.runSteps(id);
  expect(await listAlerts()).toEqual([
    `request:${id} Team: A bulk request for 3 records (company) has failed. The request is not valid. Correct the part that the message names, then send the request again.`,
  ]);
});
