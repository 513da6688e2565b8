// The gateway with a provider of data requests, teams that order records from it, and SIGKILL.
import { expect, vi } from 'vitest';
import * as z from 'zod';
import type {
  DataRequestEstimate,
  DataRequestRows,
  DataRequestView,
} from '../../shared/api/data-requests.ts';
import { type BulkProvider, RECORDS, startBulkProvider } from './bulk-provider.ts';
import { type Gateway, startGateway } from './gateway.ts';

/** Time for restarts on a busy machine. */
export const TIMEOUT_MS = 90_000;
/** Price of a record. */
export const CREDITS = 10;
export const HALF = RECORDS / 2;

/** A team with records that no other team orders. */
export interface Customer {
  team: string;
  token: string;
  ids: number[];
}

const selection = (ids: readonly number[]) => ({
  family: 'company_clean',
  kind: 'ids',
  keys: ids.map(String),
});

const countResult = z.tuple([z.object({ count: z.int() })]);

/** A gateway whose data requests are killed at any step. */
export class DataRequestFaults {
  readonly provider: BulkProvider;
  readonly gateway: Gateway;
  private customers = 0;

  private constructor(provider: BulkProvider, gateway: Gateway) {
    this.provider = provider;
    this.gateway = gateway;
  }

  /** Starts a provider and a gateway with empty state. */
  static async start(): Promise<DataRequestFaults> {
    const provider = await startBulkProvider();
    const vars = { CDAPI_BASE_URL: provider.baseUrl, PROVIDER_RATE_PER_S: '1000' };
    return new DataRequestFaults(provider, await startGateway({ vars }));
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.provider.close();
  }

  /** Adds a team. @param day - cap in credits */
  async newCustomer(day: number | null = null): Promise<Customer> {
    this.customers += 1;
    const team = `customer-${this.customers}`;
    const first = this.customers * 2 * RECORDS;
    const ids = Array.from({ length: RECORDS }, (_, at) => first + at);
    return { team, token: await this.gateway.addTeam(team, { day, month: null }), ids };
  }

  /** Calls `/sheets/v1`. @throws Error with the status */
  async call<T>({ token }: Customer, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.gateway.cluster.url('one')}/sheets/v1/${path}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return JSON.parse(text);
  }

  /** Orders records. @throws Error with the status */
  order(customer: Customer, ids = customer.ids): Promise<DataRequestView> {
    return this.call(customer, 'requests', selection(ids));
  }

  /** Counts rows of the gateway's database. @param from - table and optional condition */
  async countRows(from: string): Promise<number> {
    const statement = `SELECT count(*) AS count FROM ${from}`;
    const [{ count }] = countResult.parse(await this.gateway.cluster.run({ run: 'sql', statement }));
    return count;
  }

  /** Waits until no data request has work left. */
  async waitUntilIdle(): Promise<void> {
    await vi.waitFor(
      async () => {
        // Replaces the minute cron.
        await this.gateway.cluster.run({ run: 'sweep', after_start: false });
        expect(await this.countRows("jobs WHERE kind = 'data_request'")).toBe(0);
      },
      { timeout: TIMEOUT_MS, interval: 250 },
    );
  }

  /** Kills and restarts the gateway; the restart begins with a sweep, as in `npm start`. */
  async restart(beforeSweep: () => Promise<void> = async () => {}): Promise<void> {
    const { cluster } = this.gateway;
    await cluster.kill();
    this.provider.release();
    await cluster.start();
    await beforeSweep();
    // Skips the wait of data requests whose creation was killed.
    await cluster.run({ run: 'sql', statement: 'UPDATE jobs SET due_at = 0' });
    await cluster.run({ run: 'sweep', after_start: true });
  }

  /** Reads the ids of the rows of a data request, sorted. */
  async readRowIds(customer: Customer, id: string): Promise<number[]> {
    const ids: number[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const cursor: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      const path = `requests/${id}/rows?limit=100&columns=id${cursor}`;
      const page: DataRequestRows = await this.call(customer, path);
      ids.push(...page.rows.map(([own]) => Number(own)));
      after = page.after;
    }
    return ids.toSorted((one, other) => one - other);
  }

  /** Waits until a team has spent the credits of some records and has no reservation. */
  async expectSpent({ team }: Customer, records: number, unclear = 0): Promise<void> {
    const getBudget = async () => {
      const { spent, unclear: unclearCredits, reserved } = await this.gateway.budget(team);
      return { spent: spent.month, unclear: unclearCredits, reserved };
    };
    const credits = { spent: records * CREDITS, unclear: unclear * CREDITS, reserved: 0 };
    await expect.poll(getBudget, { timeout: TIMEOUT_MS }).toEqual(credits);
  }

  /** Buys and caches the first half of the records of some customers. */
  async buyHalf(all: readonly Customer[]): Promise<void> {
    await Promise.all(all.map((customer) => this.order(customer, customer.ids.slice(0, HALF))));
    await this.waitUntilIdle();
    for (const customer of all) {
      const body = selection(customer.ids);
      await vi.waitFor(
        async () => {
          const { cached } = await this.call<DataRequestEstimate>(customer, 'estimate/data-request', body);
          expect(cached).toBe(HALF);
        },
        { timeout: TIMEOUT_MS },
      );
    }
  }
}
