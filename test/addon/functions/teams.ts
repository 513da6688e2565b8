// Teams with budgets of their own, made as an admin makes them.
import { inject } from 'vitest';
import type { Connection } from '../../../shared/connection.ts';

/** Calls the admin's surface; throws where it refuses. */
export async function admin<T>(method: string, path: string, body?: unknown): Promise<T> {
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

/** A team under test. */
export interface Team {
  connection: Connection;
  /** Revokes its token. */
  revoke: () => Promise<void>;
}

/**
 * Makes a team.
 * @param dayCap - credits that it may spend in a day
 */
export async function makeTeam(dayCap: number): Promise<Team> {
  const { id } = await admin<{ id: string }>('POST', 'teams', {
    name: `Team of ${dayCap}`,
    budget: { day: dayCap, month: null },
  });
  const token = await admin<{ id: string; token: string }>('POST', `teams/${id}/tokens`, { name: 'Sheet' });
  return {
    connection: { url: inject('session').url, token: token.token },
    revoke: () => admin('DELETE', `teams/${id}/tokens/${token.id}`),
  };
}
