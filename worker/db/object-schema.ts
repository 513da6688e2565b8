// Schema migrations of Durable Objects: each storage records its version and is migrated when the object starts.

/** The part of a Durable Object's storage that a migration needs. */
export type MigratedStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

/** A newer Worker has written the storage, so this one must not use it. */
export class NewerStorageError extends Error {
  override name = 'NewerStorageError';
}

const VERSION_TABLE = `CREATE TABLE IF NOT EXISTS schema_version (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  version INTEGER NOT NULL
) STRICT`;

/**
 * Runs the missing migration steps in one transaction.
 * @param object - class name of the Durable Object, for the error
 * @param steps - SQL; step n migrates from version n-1 to n. A released step never changes
 * @throws NewerStorageError if the storage has a later version than the steps
 */
export function migrateStorage(storage: MigratedStorage, object: string, steps: readonly string[]): void {
  const { sql } = storage;
  sql.exec(VERSION_TABLE);
  const [row] = sql.exec<{ version: number }>('SELECT version FROM schema_version').toArray();
  const version = row?.version ?? 0;
  if (version === steps.length) return;
  if (version > steps.length) {
    throw new NewerStorageError(
      `The storage of this ${object} object has schema version ${version}; this Worker knows versions up to ${steps.length}. ` +
        'Deploy the newer Worker again.',
    );
  }
  storage.transactionSync(() => {
    for (const step of steps.slice(version)) sql.exec(step);
    sql.exec('INSERT OR REPLACE INTO schema_version (only, version) VALUES (1, ?)', steps.length);
  });
}
