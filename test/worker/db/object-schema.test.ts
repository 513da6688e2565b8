// Schema migrations of Durable Objects on real storage.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { migrateStorage, NewerStorageError } from '../../../worker/db/object-schema.ts';
import { openTables } from '../../../worker/gateway/ledger/schema.ts';
import { ProviderThrottleObject } from '../../../worker/gateway/provider-throttle/provider-throttle-object.ts';
import { ThrottleStore } from '../../../worker/gateway/provider-throttle/store.ts';
import { SingleFlightStore } from '../../../worker/gateway/single-flight/storage/store.ts';

type Storage = DurableObjectStorage;

const readVersion = ({ sql }: Storage): unknown =>
  sql.exec('SELECT version FROM schema_version').one().version;
const setVersion = ({ sql }: Storage, version: number): void => {
  sql.exec('UPDATE schema_version SET version = ?', version);
};

/** Runs a test in a new object. */
const withStorage = (
  test: (storage: Storage, state: DurableObjectState) => void,
  objects: DurableObjectNamespace = env.PROVIDER_THROTTLE,
) =>
  runInDurableObject(objects.getByName(crypto.randomUUID()), (_instance, state) =>
    test(state.storage, state),
  );

it.each([
  ['SingleFlightObject', env.SINGLE_FLIGHT, (storage: Storage) => new SingleFlightStore(storage)],
  ['LedgerObject', env.LEDGER, (storage: Storage) => openTables(storage, 'team')],
  ['ProviderThrottleObject', env.PROVIDER_THROTTLE, (storage: Storage) => new ThrottleStore(storage)],
] as const)('%s opens its storage again, and refuses storage of a newer Worker', (name, objects, open) =>
  withStorage((storage) => {
    open(storage);
    const version = Number(readVersion(storage));
    open(storage);
    setVersion(storage, version + 1);
    expect(() => open(storage)).toThrow(NewerStorageError);
    expect(() => open(storage)).toThrow(`this ${name} object has schema version ${version + 1}`);
    expect(readVersion(storage)).toBe(version + 1);
  }, objects),
);

it('an object does not start on newer storage', () =>
  withStorage((storage, state) => {
    setVersion(storage, 2);
    expect(() => new ProviderThrottleObject(state, env)).toThrow(NewerStorageError);
  }));

const first = 'CREATE TABLE example (id INTEGER PRIMARY KEY) STRICT; INSERT INTO example VALUES (1);';
const second = "ALTER TABLE example ADD COLUMN name TEXT NOT NULL DEFAULT 'none';";
const listExamples = ({ sql }: Storage) => sql.exec('SELECT * FROM example').toArray();

it('a migration step runs once', () =>
  withStorage((storage) => {
    storage.sql.exec('DROP TABLE schema_version');
    migrateStorage(storage, 'Example', [first]);
    for (let start = 0; start < 2; start += 1) migrateStorage(storage, 'Example', [first, second]);
    expect(readVersion(storage)).toBe(2);
    expect(listExamples(storage)).toEqual([{ id: 1, name: 'none' }]);
  }));

it('a failing migration step changes nothing', () =>
  withStorage((storage) => {
    storage.sql.exec('DROP TABLE schema_version');
    migrateStorage(storage, 'Example', [first]);
    const steps = [first, second, 'INSERT INTO missing VALUES (1);'];
    expect(() => migrateStorage(storage, 'Example', steps)).toThrow(/no such table/);
    expect(readVersion(storage)).toBe(1);
    expect(listExamples(storage)).toEqual([{ id: 1 }]);
  }));
