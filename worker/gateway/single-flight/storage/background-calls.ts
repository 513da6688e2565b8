// Calls that go on when nobody waits for them any more, written down so that they go on after a restart too.
import type { Payer } from '../../provider-call.ts';
import type { CallRequest } from '../types.ts';
import type { SingleFlightStorage } from './schema.ts';

/** A call that goes on. */
export interface BackgroundCall {
  call: CallRequest;
  payer: Payer;
  /** Milliseconds since 1970. */
  requestedAt: number;
}

/** The calls of a flight that go on. */
export class BackgroundCalls {
  readonly #sql: SqlStorage;

  constructor({ sql }: SingleFlightStorage) {
    this.#sql = sql;
  }

  /** Notes a call; one that is noted already stays as it is. */
  add({ call, payer, requestedAt }: BackgroundCall): void {
    this.#sql.exec(
      'INSERT OR IGNORE INTO standing (name, call, team, token, asked_at) VALUES (?, ?, ?, ?, ?)',
      call.name,
      JSON.stringify(call),
      payer.team,
      payer.token,
      requestedAt,
    );
  }

  /** Forgets that a call goes on. */
  delete(name: string): void {
    this.#sql.exec('DELETE FROM standing WHERE name = ?', name);
  }

  /** @returns the calls that go on, oldest first, those asked before this time left out and forgotten */
  list(since: number): BackgroundCall[] {
    this.#sql.exec('DELETE FROM standing WHERE asked_at < ?', since);
    type Row = { call: string; team: string; token: string; asked_at: number };
    return this.#sql
      .exec<Row>('SELECT call, team, token, asked_at FROM standing ORDER BY asked_at')
      .toArray()
      .map(({ call, team, token, asked_at }) => {
        // It was written by this class; nobody else can.
        const written: CallRequest = JSON.parse(call);
        return { call: written, payer: { team, token }, requestedAt: asked_at };
      });
  }
}
