// The state of a Cloudflare account, for the stand-in of its API.
import { randomBytes, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Binding, UploadMetadata } from './schemas.ts';

/** An uploaded version of a Worker. */
export interface Version {
  id: string;
  number: number;
  metadata: UploadMetadata;
  /** With inherited ones resolved. */
  bindings: Binding[];
  /** Sources of the modules by name. */
  modules: Map<string, string>;
  migration: string | undefined;
}

/** A Worker. */
export interface Script {
  versions: Version[];
  /** The present one first. */
  deployments: { version: string; message?: string }[];
  migration: string | undefined;
  isPublic: boolean;
  schedules: string[];
}

/** A D1 database. */
export class Database {
  readonly name: string;
  readonly location: string | undefined;
  /** Every query that changed something, since the state that the database was last restored to. */
  queries: readonly string[] = [];
  #sqlite = new DatabaseSync(':memory:');
  /** Every state that the database ever had, by its bookmark. */
  readonly #states = new Map<string, { at: number; queries: readonly string[] }>();

  constructor(name: string, location: string | undefined) {
    this.name = name;
    this.location = location;
    this.#record(0);
  }

  /** @param at - milliseconds since 1970 */
  #record(at: number): void {
    const bookmark = `${this.#states.size.toString(16).padStart(8, '0')}-00000000`;
    this.#states.set(bookmark, { at, queries: this.queries });
  }

  /** Returns the bookmark of the latest state, or of the latest one before a time; undefined if that is too long ago. */
  getBookmark(before = Number.POSITIVE_INFINITY): string | undefined {
    return [...this.#states].findLast(([, { at }]) => at <= before)?.[0];
  }

  /** Returns to an earlier state, which is a new one afterwards. @returns false for an unknown bookmark */
  restore(bookmark: string): boolean {
    const state = this.#states.get(bookmark);
    if (state === undefined) return false;
    this.#sqlite = new DatabaseSync(':memory:');
    for (const sql of state.queries) this.#sqlite.exec(sql);
    this.queries = state.queries;
    this.#record(Date.now());
    return true;
  }

  /** Counts changes of schema and rows. */
  #countChanges(): string {
    const read = (sql: string): string => JSON.stringify(this.#sqlite.prepare(sql).get());
    return `${read('PRAGMA schema_version')} ${read('SELECT total_changes()')}`;
  }

  /** Runs the statements in one transaction. */
  query(sql: string): unknown[] {
    if (/^SELECT/i.test(sql)) return this.#sqlite.prepare(sql).all();
    const before = this.#countChanges();
    this.#sqlite.exec('BEGIN');
    try {
      this.#sqlite.exec(sql);
      this.#sqlite.exec('COMMIT');
      if (this.#countChanges() !== before) {
        this.queries = [...this.queries, sql];
        this.#record(Date.now());
      }
      return [];
    } catch (error) {
      this.#sqlite.exec('ROLLBACK');
      throw error;
    }
  }
}

/** A queue. */
export interface Queue {
  name: string;
  consumers: Map<string, { script: string; deadLetterQueue: string | undefined }>;
}

/** An account. */
export class CloudflareAccount {
  readonly id = randomBytes(16).toString('hex');
  plan: 'free' | 'paid' = 'paid';
  hasQueues = true;
  hasR2 = true;
  /** The login may read subscriptions. */
  readsBilling = true;
  subdomain: string | undefined;
  readonly zones = new Map<string, string>([['example.com', randomBytes(16).toString('hex')]]);
  /** Hosts with a DNS record that is not of a custom domain. */
  readonly records = new Set<string>();
  readonly namespaces = new Map<string, string>();
  readonly databases = new Map<string, Database>();
  readonly buckets = new Map<string, { location: string | undefined; isFull: boolean; expires: boolean }>();
  readonly queues = new Map<string, Queue>();
  readonly scripts = new Map<string, Script>();
  readonly domains = new Map<string, { hostname: string; service: string }>();

  findQueue(name: string): [string, Queue] | undefined {
    return [...this.queues].find(([, queue]) => queue.name === name);
  }

  /** Returns everything that could change, without ids of calls. */
  snapshot(): unknown {
    const { namespaces, buckets, queues, scripts, domains, subdomain } = this;
    const databases = [...this.databases].map(([id, database]) => [id, database.name, database.queries]);
    const deployed = [...scripts].map(([name, { deployments, schedules }]) => [name, deployments, schedules]);
    const consumers = [...queues].map(([id, queue]) => [id, queue.name, [...queue.consumers]]);
    return structuredClone([subdomain, namespaces, buckets, domains, databases, deployed, consumers]);
  }
}

/** Generates an id as KV, queues and zones have. */
export const newId = (): string => randomBytes(16).toString('hex');

/** Generates an id as D1 and versions have. */
export const newUuid = (): string => randomUUID();
