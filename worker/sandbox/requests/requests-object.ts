// The Durable Object that keeps the data requests of the sandbox and works on them by alarm.
import { DurableObject } from 'cloudflare:workers';
import { accountOf } from '../account/account-object.ts';
import type { SandboxBindings } from '../bindings.ts';
import { sandboxPlatform } from '../platform.ts';
import { RecordStore } from '../record-store.ts';
import { DataRequests, type FilesAnswer, type Order } from './request-service.ts';
import { requestServices } from './query-service.ts';

/** The data requests, as others call them. See {@link DataRequests} for what the calls do. */
export class SandboxRequests extends DurableObject<SandboxBindings> {
  readonly #requests: DataRequests;

  constructor(ctx: DurableObjectState, env: SandboxBindings) {
    super(ctx, env);
    const account = accountOf(env);
    this.#requests = new DataRequests(ctx.storage, {
      platform: sandboxPlatform,
      store: new RecordStore(env.SANDBOX_DB),
      bucket: env.SANDBOX_FILES,
      account: {
        clock: () => account.clock(),
        charge: (credits, name) => account.charge(credits, name),
      },
      selectIds: (query, limit) => requestServices.selectIds(env, query, limit),
      wake: (at) => ctx.storage.setAlarm(at),
    });
    // Whatever was left unfinished goes on.
    void ctx.blockConcurrencyWhile(() => this.#requests.rearm());
  }

  create(order: Order): Promise<string | undefined> {
    return this.#requests.create(order);
  }

  answer(id: string): Promise<FilesAnswer> {
    return this.#requests.answer(id);
  }

  file(id: string, name: string): Promise<string | undefined> {
    return this.#requests.file(id, name);
  }

  override alarm(): Promise<void> {
    return this.#requests.run();
  }
}

/**
 * The one object that keeps a sandbox's data requests: of two identical ones it must see both.
 */
export function requestsOf(env: SandboxBindings): DurableObjectStub<SandboxRequests> {
  return env.SANDBOX_REQUESTS.getByName('requests');
}
