// Creates teams with budgets through the admin API.
import { inject } from 'vitest';
import type { Connection } from '../../../shared/connection.ts';

/** Calls the admin API. @throws if it fails */
export async function callAdmin<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { url, admin_token: token } = inject('session');
  const response = await fetch(`${url}/admin/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

export interface Team {
  connection: Connection;
  /** Revokes the token. */
  revoke: () => Promise<void>;
}

/**
 * Creates a team.
 * @param dayCap - daily cap in credits
 */
export async function createTeam(dayCap: number): Promise<Team> {
  const { id } = await callAdmin<{ id: string }>('POST', 'teams', {
    name: `Team of ${dayCap}`,
    budget: { day: dayCap, month: null },
  });
  const token = await callAdmin<{ id: string; token: string }>('POST', `teams/${id}/tokens`, {
    name: 'Sheet',
  });
  return {
    connection: { url: inject('session').url, token: token.token },
    revoke: () => callAdmin('DELETE', `teams/${id}/tokens/${token.id}`),
  };
}
