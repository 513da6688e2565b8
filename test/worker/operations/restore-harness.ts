// A gateway whose D1 is put back to an earlier time, and the restore that follows.
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { RestoreView } from '../../../shared/api/admin-settings.ts';
import type { RecordKey } from '../../../worker/gateway/cache/cache-keys.ts';
import { erase } from '../../../worker/privacy/erase.ts';
import { adminRouteTable } from '../../../worker/routes/admin/index.ts';
import { ServiceHarness } from '../data-requests/service-harness.ts';
import { type DatabaseCopy, putBack } from '../database-copy.ts';
import { buildCompanyResponse, createGateway } from '../harness.ts';
import { findRoute } from '../listed-problems.ts';
import { clock } from '../platform.ts';
import { readSuccess } from '../routes/check-response.ts';

/** Calls that a restore may take. */
const MAX_CALLS = 100;

let restores = 0;

/** A gateway before, during and after a restore. Only one provider answers all of them. */
export class RestoreHarness {
  readonly identity = `restored-${restores++}`;
  /** Bulk orders. */
  readonly orders: ServiceHarness;
  readonly gateway: ReturnType<typeof createGateway>;
  readonly inMaintenance: ReturnType<typeof createGateway>;

  /** @param orders - script of the provider of bulk orders */
  constructor(orders: ConstructorParameters<typeof ServiceHarness>[0] = {}) {
    this.orders = new ServiceHarness(orders, this.identity);
    this.inMaintenance = createGateway(buildCompanyResponse, this.identity, undefined, {
      MAINTENANCE: 'restore',
    });
    this.gateway = createGateway(buildCompanyResponse, this.identity);
  }

  /** Calls the admin API, which must succeed. */
  async admin<T>(method: string, path: string, body?: unknown, gateway = this.gateway): Promise<T> {
    const response = await gateway.request(`/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await readSuccess(findRoute(adminRouteTable, method, path), response)) as T;
  }

  async erase(key: RecordKey): Promise<void> {
    const { removed } = await erase(key, {
      env,
      identity: this.identity,
      now: () => clock.now,
      sleep: () => Promise.resolve(),
      evict: () => {},
    });
    expect(removed.keys).toBeGreaterThan(0);
  }

  /** Puts a copy back and restores. @param to - time of the copy; null if it is not known */
  async restore(copy: DatabaseCopy, to: number | null): Promise<RestoreView> {
    await putBack(copy);
    return this.continueRestore(crypto.randomUUID(), to);
  }

  /** Repeats the call of the command until the restore is complete. */
  async continueRestore(id: string, to: number | null): Promise<RestoreView> {
    const body = { id, to: to === null ? null : new Date(to).toISOString() };
    for (let left = MAX_CALLS; left > 0; left -= 1) {
      const view = await this.admin<RestoreView>('POST', '/restores', body, this.inMaintenance);
      if (view.done) return view;
    }
    throw new Error('the restore does not end');
  }
}
