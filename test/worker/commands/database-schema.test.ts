// The drizzle schema and its migrations create the same database.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { root } from '../../../worker/commands/paths.ts';
import * as schema from '../../../worker/db/schema.ts';
import { addTableOptions } from '../../../worker/db/table-options.ts';

const FOLDER = join(root, 'worker', 'db', 'migrations');

const ADVICE = 'run npm run db:generate';

/** A snapshot of drizzle-kit without its random ids. */
const snapshotSchema = z.object({ tables: z.record(z.string(), z.unknown()), internal: z.unknown() });

async function readLastSnapshot() {
  const names = (await readdir(join(FOLDER, 'meta')))
    .filter((name) => name.endsWith('_snapshot.json'))
    .sort();
  return snapshotSchema.parse(JSON.parse(await readFile(join(FOLDER, 'meta', names.at(-1) ?? ''), 'utf8')));
}

const createSnapshot = async (tables: Record<string, unknown>) =>
  snapshotSchema.parse(await generateSQLiteDrizzleJson(tables));

/** Lists each table's options, columns, foreign keys and indexes in a canonical order. */
function describeDatabase(statements: readonly string[]): Record<string, unknown> {
  const database = new DatabaseSync(':memory:');
  for (const statement of statements) database.exec(statement);
  const all = (sql: string) => database.prepare(sql).all();
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  const tables = all(
    "SELECT name, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'",
  );
  return Object.fromEntries(
    tables.map(({ name, ...options }) => [
      String(name),
      {
        ...options,
        columns: sorted(
          all(`SELECT name, lower(type), "notnull", dflt_value, pk FROM pragma_table_xinfo('${name}')`),
        ),
        references: sorted(
          all(`SELECT "table", "from", "to", on_delete FROM pragma_foreign_key_list('${name}')`),
        ),
        indexes: sorted(all(`SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = '${name}'`)),
      },
    ]),
  );
}

describe('the migrations', () => {
  it('end with a snapshot that equals the schema', async () => {
    expect(await createSnapshot(schema), ADVICE).toEqual(await readLastSnapshot());
  });

  describe('create a database', () => {
    let migrated: Record<string, unknown> = {};
    let declared: Record<string, unknown> = {};
    beforeAll(async () => {
      const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
      migrated = describeDatabase(
        await Promise.all(files.map((name) => readFile(join(FOLDER, name), 'utf8'))),
      );
      const nothing = await generateSQLiteDrizzleJson({});
      const statements = await generateSQLiteMigration(nothing, await generateSQLiteDrizzleJson(schema));
      declared = describeDatabase(statements.map(addTableOptions));
    });

    it('that equals the schema', () => {
      expect(migrated, ADVICE).toEqual(declared);
    });

    it('with STRICT tables only', () => {
      expect(Object.values(migrated)).not.toHaveLength(0);
      for (const table of Object.values(migrated)) expect(table).toMatchObject({ strict: 1 });
    });
  });
});
