// The Durable Object that stores the sandbox's data requests and processes them by alarm.
import { DurableObject } from 'cloudflare:workers';
import { getObject } from '../../lib/objects.ts';
import { type AccountBinding, getAccount } from '../account/account.ts';
import { sandboxPlatform } from '../platform.ts';
import { RecordStore } from '../record-store.ts';
import { queryService } from './query-service.ts';
import { type FilesResult, type RequestInput, RequestService } from './request-service.ts';

export interface RequestBindings extends AccountBinding {
  /** Records and their search index. */
  SANDBOX_DB: D1Database;
  SANDBOX_FILES: R2Bucket;
}

/** Exposes a {@link RequestService} over RPC. */
export class SandboxRequests extends DurableObject<RequestBindings> {
  readonly #requests: RequestService;

  constructor(ctx: DurableObjectState, env: RequestBindings) {
    super(ctx, env);
    const account = getAccount(env);
    this.#requests = new RequestService(ctx.storage, {
      platform: sandboxPlatform,
      store: new RecordStore(env.SANDBOX_DB),
      bucket: env.SANDBOX_FILES,
      account: {
        getClock: () => account.getClock(),
        charge: (credits, name) => account.charge(credits, name),
      },
      selectIds: (query, limit) => queryService.selectIds(env.SANDBOX_DB, query, limit),
      setAlarm: (at) => ctx.storage.setAlarm(at),
    });
    // Resumes requests that an earlier instance of the object left unfinished.
    void ctx.blockConcurrencyWhile(() => this.#requests.scheduleNext());
  }

  create(input: RequestInput): Promise<string | undefined> {
    return this.#requests.create(input);
  }

  getFiles(id: string): Promise<FilesResult> {
    return this.#requests.getFiles(id);
  }

  findFile(id: string, name: string): Promise<string | undefined> {
    return this.#requests.findFile(id, name);
  }

  override alarm(): Promise<void> {
    return this.#requests.run();
  }
}

/** Returns the only object of data requests: it must see all requests to recognise identical ones. */
export function getRequests(env: {
  SANDBOX_REQUESTS: DurableObjectNamespace<SandboxRequests>;
  REGION?: string;
  JURISDICTION?: string;
}): DurableObjectStub<SandboxRequests> {
  return getObject(env, env.SANDBOX_REQUESTS, 'requests');
}

export interface SandboxBindings extends RequestBindings {
  /** The API key that clients of the sandbox send. */
  SANDBOX_KEY: string;
  SANDBOX_REQUESTS: DurableObjectNamespace<SandboxRequests>;
}
