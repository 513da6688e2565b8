// Stopping a data request as the admin: in every phase, twice, and what it costs.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import type { StoppedDataRequest } from '../../../../../shared/api/admin-data-requests.ts';
import type { AuditList } from '../../../../../shared/api/admin-reports.ts';
import { getLedger } from '../../../../../worker/gateway/ledger/ledger-object.ts';
import { respond, ServiceHarness } from '../../../data-requests/service-harness.ts';
import { clock } from '../../../platform.ts';
import { insertDataRequest } from '../../sheets/fixtures.ts';
import { admin } from '../harness.ts';

const deployment = admin();

beforeEach(() => {
  deployment.clock.now = clock.now;
});

const stop = (id: string) => deployment.ok<StoppedDataRequest>('POST', `/requests/${id}/stop`);

async function countAuditEntries(id: string): Promise<number> {
  const { audit } = await deployment.ok<AuditList>('GET', '/audit');
  return audit.filter(({ action, target }) => action === 'data_request.stop' && target === id).length;
}

/** Reads the credits of the harness's team: those of the other tests are settled. */
const getHeld = async () => (await getLedger(env, 'team').getBudget()).reserved;

it('releases the credits before the order is sent', async () => {
  const harness = new ServiceHarness();
  const before = await getHeld();
  const { id } = await harness.createRequest();
  expect(await getHeld()).toBe(before + 20);
  for (let call = 1; call <= 2; call += 1) {
    expect(await stop(id)).toMatchObject({
      request: { id, state: 'cancelled', team: 'team', token: 'token', credits: { reserved: 0, charged: 0 } },
      charge: 'none',
      message: 'It has ended, and nothing is charged.',
    });
  }
  expect(await getHeld()).toBe(before);
  await harness.runSteps(id);
  expect(harness.calls).toEqual([]);
  expect(await countAuditEntries(id)).toBe(1);
});

it('says that the provider still charges an order that was sent', async () => {
  const harness = new ServiceHarness({ list: respond(404, { detail: 'preparing' }) });
  const { id } = await harness.createRequest();
  await harness.advance(id);
  const expected = {
    request: { state: 'cancelled', cancel_requested: true, ended_at: null },
    charge: 'expected',
    message: expect.stringContaining('up to 20 credits'),
  };
  expect(await stop(id)).toMatchObject(expected);
  expect(await stop(id)).toMatchObject(expected);
  expect(await countAuditEntries(id)).toBe(1);
});

it.each([
  ['ready', 30, 'charged', 'It had already ended: 30 credits were charged.'],
  ['failed', 0, 'none', 'It has ended, and nothing is charged.'],
  ['unclear', null, 'unclear', expect.stringContaining('30 credits')],
] as const)('changes nothing if it is %s', async (phase, charged, charge, message) => {
  const id = await insertDataRequest('team', { phase, charged });
  expect(await stop(id)).toMatchObject({
    request: { state: phase, cancel_requested: false },
    charge,
    message,
  });
  expect(await countAuditEntries(id)).toBe(0);
});

it('returns 404 for an unknown id', async () => {
  const path = `/requests/${crypto.randomUUID()}/stop`;
  expect(await deployment.problem('POST', path)).toMatchObject({ code: 'not_found' });
});
