// Helpers that create data requests of a team through the Worker's API, with the sandbox as provider.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env, exports as worker } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import type { DataRequestRows, DataRequestView } from '../../../shared/api/data-requests.ts';
import { generateToken } from '../../../shared/tokens.ts';
import { addTeamWithToken } from '../../../worker/gateway/auth/tokens.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { wakeJobs } from '../../../worker/queue/jobs.ts';
import { getRequests } from '../../../worker/sandbox/requests/requests-object.ts';
import { control, put } from '../sandbox/client.ts';

/** Generous, for a busy machine. */
const TIMEOUT_MS = 50_000;

/** Calls the Worker with the team's token. */
export function call(path: string, init: RequestInit = {}, token = env.TEAM_TOKEN): Promise<Response> {
  return worker.default.fetch(`http://127.0.0.1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });
}

/** Calls the admin API. @param path - below `/admin/v1` */
export function callAdmin(path: string, method = 'GET'): Promise<Response> {
  return call(`/admin/v1${path}`, { method }, env.ADMIN_TOKEN);
}

/** Calls the drop-in API for data requests. @param path - below `/cdapi/v2/data_requests/` */
export function callDropIn(path: string, init: RequestInit = {}, token = env.TEAM_TOKEN): Promise<Response> {
  return worker.default.fetch(`http://127.0.0.1/cdapi/v2/data_requests/${path}`, {
    ...init,
    headers: { apikey: token, ...init.headers },
  });
}

/** The body of a data request for companies by id. */
export const companyIds = (keys: readonly (string | number)[], more: object = {}) => ({
  family: 'company_clean',
  kind: 'ids',
  keys: keys.map(String),
  ...more,
});

/** Posts a data request. */
export function postRequest(
  body: unknown,
  headers: Record<string, string> = {},
  token?: string,
): Promise<Response> {
  return call('/sheets/v1/requests', { method: 'POST', headers, body: JSON.stringify(body) }, token);
}

/** Creates a data request and expects success. */
export async function createRequest(
  body: unknown,
  headers?: Record<string, string>,
): Promise<DataRequestView> {
  const response = await postRequest(body, headers);
  expect(response.status).toBe(201);
  return response.json();
}

export async function getRequest(id: string): Promise<DataRequestView> {
  return (await call(`/sheets/v1/requests/${id}`)).json();
}

/** Runs the data requests that wait for their next poll of the provider: the queue would deliver their messages a second later. */
export async function skipWaits(): Promise<void> {
  const now = Date.now();
  const sql = "SELECT id FROM jobs WHERE kind = 'data_request' AND due_at > ?1 AND lease_until <= ?1";
  const { results } = await env.DB.prepare(sql).bind(now).all<{ id: string }>();
  await wakeJobs(
    env,
    'data_request',
    results.map(({ id }) => id),
    now,
  );
}

/** Waits until a data request of any team has no work left: its records are cached and its keys are released. */
async function waitUntilIdle(id: string): Promise<void> {
  await vi.waitFor(
    async () => {
      await skipWaits();
      const sql = "SELECT due_at, lease_until, attempts FROM jobs WHERE kind = 'data_request' AND id = ?";
      expect(await env.DB.prepare(sql).bind(id).first()).toBeNull();
    },
    { timeout: TIMEOUT_MS, interval: 50 },
  );
}

/** Waits until a data request of the team has ended and has no work left. */
export async function waitUntilEnded(id: string): Promise<DataRequestView> {
  await waitUntilIdle(id);
  const view = await getRequest(id);
  expect(view.ended_at).not.toBeNull();
  return view;
}

/** Creates a data request and waits until it has ended. */
export async function completeRequest(body: unknown): Promise<DataRequestView> {
  return waitUntilEnded((await createRequest(body)).id);
}

/** Lets the provider work on data requests until {@link endRuns}. */
export const beginLongRuns = (): Promise<unknown> => control({ run_ms: 3_600_000 });

/** Ends the provider's work on all data requests. */
export async function endRuns(): Promise<void> {
  await control({ run_ms: 0 });
  const requests = getRequests(env);
  await runInDurableObject(requests, async (_, { storage }) => {
    // Durable Objects refuse alarms at 0, and a run of before may schedule its next one now.
    storage.sql.exec('UPDATE requests SET next_at = 1 WHERE next_at IS NOT NULL');
  });
  await runDurableObjectAlarm(requests);
}

/** Reads all rows of a data request, page by page. */
export async function readAllRows(id: string, limit = 2, columns = 'id,name'): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for (let after: string | null = ''; after !== null; ) {
    const cursor: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const response = await call(`/sheets/v1/requests/${id}/rows?limit=${limit}&columns=${columns}${cursor}`);
    expect(response.status).toBe(200);
    const page: DataRequestRows = await response.json();
    rows.push(...page.rows);
    after = page.after;
  }
  return rows;
}

/** Returns the spent and reserved credits of a team today. */
export async function getSpending(team = 'team'): Promise<{ spent: number; reserved: number }> {
  const budget = await getLedger(env, team).getBudget();
  return { spent: budget.spent.day, reserved: budget.reserved };
}

/** Adds a team. @returns its token */
export async function addTeam(id: string, day: number | null): Promise<string> {
  const token = generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));
  await getLedger(env, id).setBudget({ caps: { day } });
  await addTeamWithToken(env.DB, { id, name: id }, token, Date.now(), { ratePerMinute: 1_000_000 });
  return token;
}

/** Imports companies and employees with ids from 1 into the sandbox. */
export async function importCompanies(count = 5): Promise<void> {
  const ids = Array.from({ length: count }, (_, at) => at + 1);
  const industry = (id: number) => (id % 2 === 0 ? 'Even' : 'Odd');
  await control({ run_ms: 0, rate_per_s: 10_000 });
  await put(
    'company_clean',
    ids.map((id) => ({
      id,
      name: `Company ${id}`,
      websites_main: `c${id}.example`,
      websites_professional_network_canonical: `https://network.example/company/c-${id}`,
      industry: industry(id),
    })),
  );
  await put(
    'company_base',
    ids.map((id) => ({ id, name: `Base ${id}`, industry: industry(id) })),
  );
  await put(
    'employee_clean',
    ids.map((id) => ({ id, full_name: `Person ${id}`, shorthand_names: [`p-${id}`] })),
  );
}
