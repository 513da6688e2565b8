// An object for what the platform itself does: alarms, and methods whose callers go away.
import { DurableObject } from 'cloudflare:workers';
import type { FaultsEnv } from './env.ts';
import { dumpStorage, recordStart } from './living.ts';

/** What the callers of an object hear that was ended. */
export const EVICTED = 'evicted by the test';

/** Notes in the diary and in its own table what happens to it. */
export class Probe extends DurableObject<FaultsEnv> {
  constructor(ctx: DurableObjectState, env: FaultsEnv) {
    super(ctx, env);
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS notes (text TEXT NOT NULL)');
    recordStart('PROBE', ctx);
  }

  /** Sets the alarm. */
  async wake(inMs: number): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + inMs);
  }

  override async alarm(): Promise<void> {
    await this.#note('alarm');
  }

  /** Works for so long. */
  async work(ms: number): Promise<void> {
    await this.#note('begun');
    await new Promise((resolve) => setTimeout(resolve, ms));
    await this.#note('done');
  }

  /** What happened, in order. */
  notes(): string[] {
    return this.ctx.storage.sql
      .exec<{ text: string }>('SELECT text FROM notes')
      .toArray()
      .map(({ text }) => text);
  }

  /** Ends the object at once, whatever it is doing. */
  evict(): void {
    this.ctx.abort(EVICTED);
  }

  /** Everything that it stored. */
  stored(): string {
    return dumpStorage(this.ctx.storage);
  }

  async #note(what: string): Promise<void> {
    this.ctx.storage.sql.exec('INSERT INTO notes (text) VALUES (?)', what);
    await fetch(this.env.DIARY, { method: 'POST', body: `${this.ctx.id.name} ${what}` });
  }
}
