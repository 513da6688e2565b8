// The baseline of the arrival bench: a program that polls the newest bulk order and reads its rows.
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { Session } from '../../../worker/commands/instance/session.ts';

/** The interval of the gateway's live events. */
const POLL_MS = 1_000;
/** Rows that the sheet requests at once. */
const PAGE_SIZE = 2_000;

const listSchema = z.object({
  requests: z.tuple([
    z.object({ id: z.string(), state: z.string(), rows: z.number(), ended_at: z.string().nullable() }),
  ]),
});

/** A bulk order that has ended with rows. */
export interface EndedRequest {
  id: string;
  rows: number;
  /** When its rows were stored, in milliseconds since 1970. */
  storedAt: number;
  /** When the program saw it, in milliseconds since 1970. */
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

/** Polls until the newest order has ended. @throws Error if it has failed */
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

/** Reads the first rows. @returns the duration in milliseconds */
export async function timeRowsRequest(session: Session, { id }: EndedRequest): Promise<number> {
  const start = performance.now();
  JSON.parse(await fetchText(session, `/${id}/rows?limit=${PAGE_SIZE}`));
  return performance.now() - start;
}
