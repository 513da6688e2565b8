// Stores background calls, so that they continue after a restart of the object.
import type { RecordedSource } from '../../../../shared/sources.ts';
import type { Payer } from '../../provider-call.ts';
import type { CallRequest } from '../types.ts';
import type { SingleFlightStorage } from './schema.ts';

export interface BackgroundCall {
  call: CallRequest;
  payer: Payer;
  requestedAt: number;
}

export class BackgroundCalls {
  readonly #sql: SqlStorage;
  /** Few calls are stored: the others skip the query that deletes them. */
  readonly #names: Set<string>;

  constructor({ sql }: SingleFlightStorage) {
    this.#sql = sql;
    const rows = sql.exec<{ name: string }>('SELECT name FROM background_calls').toArray();
    this.#names = new Set(rows.map(({ name }) => name));
  }

  /** Adds a call, unless one of its name is stored. */
  add({ call, payer, requestedAt }: BackgroundCall): void {
    this.#names.add(call.name);
    this.#sql.exec(
      `INSERT OR IGNORE INTO background_calls (name, call, team, token, source, spreadsheet, requested_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      call.name,
      JSON.stringify(call),
      payer.team,
      payer.token,
      payer.source ?? null,
      payer.spreadsheet ?? null,
      requestedAt,
    );
  }

  delete(name: string): void {
    if (this.#names.delete(name)) this.#sql.exec('DELETE FROM background_calls WHERE name = ?', name);
  }

  /** Lists the calls requested since a time, oldest first. Deletes older ones. */
  list(since: number): BackgroundCall[] {
    this.#sql.exec('DELETE FROM background_calls WHERE requested_at < ?', since);
    type Row = {
      call: string;
      team: string;
      token: string;
      source: RecordedSource | null;
      spreadsheet: string | null;
      requested_at: number;
    };
    return this.#sql
      .exec<Row>(
        'SELECT call, team, token, source, spreadsheet, requested_at FROM background_calls ORDER BY requested_at',
      )
      .toArray()
      .map(({ call, team, token, source, spreadsheet, requested_at }) => {
        const request: CallRequest = JSON.parse(call);
        const payer = { team, token, source: source ?? undefined, spreadsheet: spreadsheet ?? undefined };
        return { call: request, payer, requestedAt: requested_at };
      });
  }
}
