// A program in place of the sheet: asks once a second how the newest bulk request stands, and reads its rows.
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { Session } from '../../../worker/commands/instance/session.ts';

/** As often as the gateway's live events look. */
const POLL_MS = 1_000;
/** As many rows as the sheet asks for at once. */
const PAGE_SIZE = 2_000;

const listSchema = z.object({
  requests: z.tuple([
    z.object({ id: z.string(), state: z.string(), rows: z.number(), ended_at: z.string().nullable() }),
  ]),
});

/** A bulk request that has ended with rows. */
export interface EndedRequest {
  id: string;
  rows: number;
  /** When its rows were kept, in milliseconds since 1970. */
  storedAt: number;
  /** When it was seen that they are, likewise. */
  seenAt: number;
}

async function fetchText({ url, team_token: token }: Session, path: string): Promise<string> {
  const response = await fetch(`${url}/sheets/v1/requests${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/**
 * Asks until the newest request has ended.
 * @throws Error where it brought nothing
 */
export async function waitUntilReady(session: Session): Promise<EndedRequest> {
  for (;;) {
    const [{ id, state, rows, ended_at: ended }] = listSchema.parse(
      JSON.parse(await fetchText(session, '?limit=1')),
    ).requests;
    if (ended !== null) {
      if (state !== 'ready') throw new Error(`the request is ${state}`);
      return { id, rows, storedAt: Date.parse(ended), seenAt: Date.now() };
    }
    await pause(POLL_MS);
  }
}

/** Reads the first rows. @returns how long that took, in milliseconds */
export async function timeRowsRequest(session: Session, { id }: EndedRequest): Promise<number> {
  const start = performance.now();
  JSON.parse(await fetchText(session, `/${id}/rows?limit=${PAGE_SIZE}`));
  return performance.now() - start;
}
