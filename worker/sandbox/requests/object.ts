// The Durable Object that keeps the data requests of the embedded provider and works on them by alarm.
import { DurableObject } from 'cloudflare:workers';
import { accountOf } from '../account/object.ts';
import type { ProviderBindings } from '../bindings.ts';
import { sandboxPlatform } from '../platform.ts';
import { RecordStore } from '../records.ts';
import { DataRequests, type FilesAnswer, type Order } from './requests.ts';
import { requestServices } from './services.ts';

/** The data requests, as others call them. See {@link DataRequests} for what the calls do. */
export class ProviderRequests extends DurableObject<ProviderBindings> {
  readonly #requests: DataRequests;

  constructor(ctx: DurableObjectState, env: ProviderBindings) {
    super(ctx, env);
    const account = accountOf(env);
    this.#requests = new DataRequests(ctx.storage, {
      platform: sandboxPlatform,
      store: new RecordStore(env.PROVIDER_DB),
      bucket: env.PROVIDER_FILES,
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
 * The one object that keeps an embedded provider's data requests: of two identical ones it must see both.
 */
export function requestsOf(env: ProviderBindings): DurableObjectStub<ProviderRequests> {
  return env.PROVIDER_REQUESTS.getByName('requests');
}
