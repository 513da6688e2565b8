// Schema versions of Durable Objects, on real storage.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { migrateStorage, NewerStorageError } from '../../../worker/db/object-schema.ts';
import { TeamLedger } from '../../../worker/gateway/ledger/ledger.ts';
import { ProviderThrottleObject } from '../../../worker/gateway/provider-throttle/provider-throttle-object.ts';
import { ThrottleStore } from '../../../worker/gateway/provider-throttle/store.ts';
import { SingleFlightStore } from '../../../worker/gateway/single-flight/storage/store.ts';

type Storage = DurableObjectStorage;

const versionOf = ({ sql }: Storage): unknown => sql.exec('SELECT version FROM schema_version').one().version;
const setVersion = ({ sql }: Storage, version: number): void => {
  sql.exec('UPDATE schema_version SET version = ?', version);
};

const context = { platform: { now: () => 0, after: async () => {} }, db: env.DB, setAlarm: () => {} };

/** Each class: its objects, how one opens its storage, and what version 1 keeps of a value. */
const classes = [
  {
    name: 'SingleFlightObject',
    stub: (id: string) => env.SINGLE_FLIGHT.getByName(id),
    open: (storage: Storage) => new SingleFlightStore(storage),
    write: (storage: Storage) => {
      new SingleFlightStore(storage).identity = 'provider';
    },
    read: (storage: Storage) => new SingleFlightStore(storage).identity,
    written: 'provider',
  },
  {
    name: 'LedgerObject',
    stub: (id: string) => env.LEDGER.getByName(id),
    open: (storage: Storage) => new TeamLedger(storage, 'team', context),
    write: (storage: Storage) => {
      new TeamLedger(storage, 'team', context).setBudget({ caps: { day: 7 } });
    },
    read: (storage: Storage) => new TeamLedger(storage, 'team', context).getBudget().caps.day,
    written: 7,
  },
  {
    name: 'ProviderThrottleObject',
    stub: (id: string) => env.PROVIDER_THROTTLE.getByName(id),
    open: (storage: Storage) => new ThrottleStore(storage),
    write: (storage: Storage) => new ThrottleStore(storage).saveLimit(7),
    read: (storage: Storage) => new ThrottleStore(storage).readLimit(),
    written: 7,
  },
];

// Issue: "Durable Objects get a schema version and a migration step."
describe.each(classes)('storage of $name', ({ name, stub, open, write, read, written }) => {
  it('has version 1, and opens again with what it holds', () =>
    runInDurableObject(stub(crypto.randomUUID()), (_instance, { storage }) => {
      write(storage);
      expect(versionOf(storage)).toBe(1);
      expect(read(storage)).toBe(written);
      expect(versionOf(storage)).toBe(1);
    }));

  it('is refused when a newer Worker has written it, and stays as it is', () =>
    runInDurableObject(stub(crypto.randomUUID()), (_instance, { storage }) => {
      write(storage);
      setVersion(storage, 2);
      expect(() => open(storage)).toThrow(NewerStorageError);
      expect(() => open(storage)).toThrow(
        `The storage of this ${name} object has schema version 2; this Worker knows versions up to 1. Deploy the newer Worker again.`,
      );
      setVersion(storage, 1);
      expect(read(storage)).toBe(written);
    }));
});

it('an object does not start on newer storage', () =>
  runInDurableObject(env.PROVIDER_THROTTLE.getByName(crypto.randomUUID()), (_instance, state) => {
    setVersion(state.storage, 2);
    expect(() => new ProviderThrottleObject(state, env)).toThrow(NewerStorageError);
  }));

describe('a migration step', () => {
  const first = 'CREATE TABLE example (id INTEGER PRIMARY KEY) STRICT; INSERT INTO example VALUES (1);';
  const second = "ALTER TABLE example ADD COLUMN name TEXT NOT NULL DEFAULT 'none';";

  /** An empty storage. */
  const withStorage = (test: (storage: Storage) => void) =>
    runInDurableObject(env.PROVIDER_THROTTLE.getByName(crypto.randomUUID()), (_instance, { storage }) => {
      storage.sql.exec('DROP TABLE schema_version');
      test(storage);
    });
  const rows = ({ sql }: Storage) => sql.exec('SELECT * FROM example').toArray();

  it('takes a storage of an earlier version to the next one, once', () =>
    withStorage((storage) => {
      migrateStorage(storage, 'Example', [first]);
      for (let start = 0; start < 2; start += 1) migrateStorage(storage, 'Example', [first, second]);
      expect(versionOf(storage)).toBe(2);
      expect(rows(storage)).toEqual([{ id: 1, name: 'none' }]);
    }));

  it('that fails leaves the storage at the version that it had', () =>
    withStorage((storage) => {
      migrateStorage(storage, 'Example', [first]);
      const steps = [first, second, 'INSERT INTO missing VALUES (1);'];
      expect(() => migrateStorage(storage, 'Example', steps)).toThrow(/no such table/);
      expect(versionOf(storage)).toBe(1);
      expect(rows(storage)).toEqual([{ id: 1 }]);
    }));
});
