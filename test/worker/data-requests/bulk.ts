// Bulk requests of a team, as the add-on makes them, over the sandbox.
import { env, exports as worker } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import type { DataRequestRows, DataRequestView } from '../../../shared/api/data-requests.ts';
import { generateToken } from '../../../shared/tokens.ts';
import { addTeamWithToken } from '../../../worker/gateway/auth/tokens.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { control, put } from '../sandbox/client.ts';

/** Long enough on a busy machine. */
const TIMEOUT_MS = 20_000;

/** Calls the Worker with the team's token. */
export function call(path: string, init: RequestInit = {}, token = env.TEAM_TOKEN): Promise<Response> {
  return worker.default.fetch(`http://127.0.0.1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });
}

/** Makes a request. */
export function postRequest(
  body: unknown,
  headers: Record<string, string> = {},
  token?: string,
): Promise<Response> {
  return call('/sheets/v1/requests', { method: 'POST', headers, body: JSON.stringify(body) }, token);
}

/** Makes a request that is taken. */
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

/** Waits until a request of any team has no work left: its records are cached and its keys are released. */
export async function waitUntilIdle(id: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const row = await env.DB.prepare('SELECT due_at FROM requests WHERE id = ?').bind(id).first();
      expect(row?.due_at).toBeNull();
    },
    { timeout: TIMEOUT_MS, interval: 50 },
  );
}

/** Waits until a request of the team has ended and has no work left. */
export async function waitUntilEnded(id: string): Promise<DataRequestView> {
  await waitUntilIdle(id);
  const view = await getRequest(id);
  expect(view.ended_at).not.toBeNull();
  return view;
}

/** All rows of a request, a page at a time. */
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

/** What the team has spent and holds today. */
export async function getSpending(team = 'team'): Promise<{ spent: number; held: number }> {
  const budget = await getLedger(env, team).getBudget();
  return { spent: budget.spent.day, held: budget.held };
}

/** Adds a team of its own. @returns its token */
export async function addTeam(id: string, day: number | null): Promise<string> {
  const token = generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));
  await getLedger(env, id).setBudget({ caps: { day } });
  await addTeamWithToken(env.DB, { id, name: id }, token, Date.now(), { ratePerMinute: 1_000_000 });
  return token;
}

const idsUpTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** Puts records in: companies and employees with the ids from 1. */
export async function importCompanies(count = 5): Promise<void> {
  await control({ run_ms: 0, rate_per_s: 10_000 });
  await put(
    'company_clean',
    idsUpTo(count).map((id) => ({
      id,
      name: `Company ${id}`,
      websites_main: `c${id}.example`,
      websites_professional_network_canonical: `https://network.example/company/c-${id}`,
      industry: id % 2 === 0 ? 'Even' : 'Odd',
    })),
  );
  await put(
    'company_base',
    idsUpTo(count).map((id) => ({ id, name: `Base ${id}`, industry: id % 2 === 0 ? 'Even' : 'Odd' })),
  );
  await put(
    'employee_clean',
    idsUpTo(count).map((id) => ({ id, full_name: `Person ${id}`, shorthand_names: [`p-${id}`] })),
  );
}
