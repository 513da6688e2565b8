// The production schema in drizzle and the migrations that make it: they never differ.
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

/** What people are told to do when a test below fails. */
const GENERATE = 'run npm run db:generate';

/** A snapshot of drizzle-kit: its tables, without the ids that it draws for each snapshot. */
const snapshot = z.object({ tables: z.record(z.string(), z.unknown()), internal: z.unknown() });

/** The last migration's snapshot. */
async function migrated() {
  const names = (await readdir(join(FOLDER, 'meta')))
    .filter((name) => name.endsWith('_snapshot.json'))
    .sort();
  return snapshot.parse(JSON.parse(await readFile(join(FOLDER, 'meta', names.at(-1) ?? ''), 'utf8')));
}

const declared = async (tables: Record<string, unknown>) =>
  snapshot.parse(await generateSQLiteDrizzleJson(tables));

/** What a database holds: of each table its options, columns, foreign keys and indexes, whatever their order. */
function shapeOf(statements: readonly string[]): Record<string, unknown> {
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

// Issue: "A test fails when schema and migrations differ."
describe('schema and migrations do not differ', () => {
  it('the last migration has every table, column, index and check of the schema, and no other', async () => {
    expect(await declared(schema), GENERATE).toEqual(await migrated());
  });

  describe('a database made by the migrations', () => {
    let made: Record<string, unknown> = {};
    let wanted: Record<string, unknown> = {};
    beforeAll(async () => {
      const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
      made = shapeOf(await Promise.all(files.map((name) => readFile(join(FOLDER, name), 'utf8'))));
      const nothing = await generateSQLiteDrizzleJson({});
      const statements = await generateSQLiteMigration(nothing, await generateSQLiteDrizzleJson(schema));
      wanted = shapeOf(statements.map(addTableOptions));
    });

    it('is the one that the schema describes', () => {
      expect(made, GENERATE).toEqual(wanted);
    });

    it('refuses values of another type: every table is STRICT', () => {
      expect(Object.values(made)).not.toHaveLength(0);
      for (const table of Object.values(made)) expect(table).toMatchObject({ strict: 1 });
    });
  });
});
