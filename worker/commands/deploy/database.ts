// Prints the bookmark of a D1 database and applies missing migrations through Cloudflare's API.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { CREATE_APPLIED_TABLE, listMigrations, migrationsFolder } from '../runtime/migrations.ts';
import { UserError } from '../user-error.ts';
import type { Account } from './account.ts';

const bookmarkSchema = z.object({ bookmark: z.string() });
const resultsSchema = z.array(z.looseObject({ results: z.array(z.unknown()).default([]) }));
const appliedSchema = z.array(z.object({ name: z.string() }));

export class RemoteDatabase {
  readonly #account: Account;
  readonly #path: string;

  /** @param uuid - of the database */
  constructor(account: Account, uuid: string) {
    this.#account = account;
    this.#path = `/accounts/${account.id}/d1/database/${uuid}`;
  }

  /**
   * Returns the bookmark of the database's present or earlier state for Time Travel.
   * @param at - ISO 8601. Default: now
   */
  async getBookmark(at?: string): Promise<string> {
    const query = at === undefined ? '' : `?${new URLSearchParams({ timestamp: at })}`;
    const { bookmark } = await this.#account.api.call({
      action: 'read the database’s bookmark',
      path: `${this.#path}/time_travel/bookmark${query}`,
      schema: bookmarkSchema,
    });
    return bookmark;
  }

  /** Replaces the database with an earlier state. Calls of the database that are in progress are cancelled. */
  async restore(bookmark: string): Promise<void> {
    await this.#account.api.call({
      action: 'restore the database',
      method: 'POST',
      path: `${this.#path}/time_travel/restore?${new URLSearchParams({ bookmark })}`,
      schema: bookmarkSchema,
    });
  }

  /**
   * Applies missing migrations. The statements of a query run as a batch, which is a transaction, so each migration is applied
   * once or not at all (https://developers.cloudflare.com/api/resources/d1/subresources/database/methods/query/,
   * https://developers.cloudflare.com/d1/worker-api/d1-database/#batch).
   * @returns names of the applied migrations
   * @throws UserError if the database belongs to a later version of this project
   */
  async migrate(): Promise<string[]> {
    await this.#query('prepare the database', CREATE_APPLIED_TABLE);
    const [rows] = await this.#query('read the applied migrations', 'SELECT name FROM d1_migrations');
    const applied = new Set(appliedSchema.parse(rows?.results ?? []).map(({ name }) => name));
    const files = await listMigrations();
    const unknown = [...applied].find((name) => !files.includes(name));
    if (unknown !== undefined)
      throw new UserError(
        `The database was migrated by a later version of this project (${unknown}): update the project (git pull), then run the same command again.`,
      );
    const missing = files.filter((name) => !applied.has(name));
    for (const name of missing) {
      const sql = (await readFile(join(migrationsFolder, name), 'utf8')).trim().replace(/;*$/, ';');
      await this.#query(
        `apply the migration ${name}`,
        `${sql}\nINSERT INTO d1_migrations (name) VALUES ('${name}');`,
      );
    }
    return missing;
  }

  #query(action: string, sql: string) {
    const path = `${this.#path}/query`;
    return this.#account.api.call({ action, method: 'POST', path, body: { sql }, schema: resultsSchema });
  }
}
