// A data request service over a scripted provider. The test runs each step in an invocation of its own, and sets the clock.
import { env } from 'cloudflare:workers';
import type { BulkOperation } from '../../../shared/operations.ts';
import { findBulkOperation, priceKeys } from '../../../worker/data-requests/order/order.ts';
import { splitKeys } from '../../../worker/data-requests/order/split-keys.ts';
import { DataRequestService } from '../../../worker/data-requests/service.ts';
import type { StepResult } from '../../../worker/data-requests/state-machine.ts';
import type { RequestRow } from '../../../worker/db/schema.ts';
import { fetchCalls } from '../../../worker/gateway/single-flight/client.ts';
import type { SingleFlightRequest } from '../../../worker/gateway/single-flight/types.ts';
import type { Upstream } from '../../../worker/gateway/upstream/upstream.ts';
import { dataRequestListener } from '../../../worker/tables/data-request-listener.ts';
import { clock, recordViolation } from '../platform.ts';
import { StrictRuntime } from '../strict/index.ts';

/** What the provider does with a call; it may throw. */
export type ProviderHandler = (request: Request) => Response | Promise<Response>;

/** The provider. */
export interface ProviderScript {
  /** A data request is to be made. */
  create: ProviderHandler;
  /** Its files are asked for. */
  list: ProviderHandler;
  /** A file is asked for. */
  file: ProviderHandler;
}

let providers = 0;

const world = new StrictRuntime({ clock: () => clock.now });

/** Gzipped JSON Lines. */
export function gzipLines(...records: object[]): Response {
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip')));
}

export const PROVIDER_ID = '11111111-2222-4333-8444-555555555555';

/** A provider that delivers exactly the companies that each data request names, under an id of its own. */
export function deliverOrderedRecords(): ProviderScript {
  const requests = new Map<string, string[]>();
  const idIn = (request: Request): string => /data_requests\/([0-9a-f-]{36})/.exec(request.url)?.[1] ?? '';
  return {
    create: async (request) => {
      const id = crypto.randomUUID();
      requests.set(id, (await request.formData()).getAll('ids').map(String));
      return Response.json({ request_id: id }, { status: 201 });
    },
    list: defaultScript.list,
    file: (request) =>
      gzipLines(
        ...(requests.get(idIn(request)) ?? []).map((id) => ({ id: Number(id), name: `Company ${id}` })),
      ),
  };
}

const defaultScript: ProviderScript = {
  create: () => Response.json({ request_id: PROVIDER_ID }, { status: 201 }),
  list: () => Response.json({ data_request_files: ['part-0.json.gz'] }),
  file: () => gzipLines({ id: 1, name: 'One' }, { id: 2, name: 'Two' }),
};

/** A data request service and the calls that it makes to the provider. */
export class ServiceHarness {
  /** Calls that reached the provider, in order. */
  readonly calls: string[] = [];
  /** Where the provider was told to say that it is ready. */
  readonly webhookUrls: string[] = [];
  /** Of the provider. */
  readonly identity: string;
  /** The ids of each data request that reached the provider. */
  readonly orderedIds: string[][] = [];
  readonly #script: ProviderScript;

  /**
   * @param script - what the provider does that is not as usual; it may be changed at any time
   * @param identity - of the provider; one of its own where absent
   */
  constructor(script: Partial<ProviderScript> = {}, identity = `service-${providers++}`) {
    this.identity = identity;
    this.#script = { ...defaultScript, ...script };
  }

  /** The service, in an invocation of its own. */
  get service(): DataRequestService {
    const strict = world.wrapBindings(env, { onViolation: recordViolation });
    const upstream: Upstream = {
      identity: this.identity,
      baseUrl: 'http://127.0.0.1/cdapi',
      apiKey: env.SANDBOX_KEY,
      fetch: strict.wrapFetch((request) => this.#answer(request)),
    };
    return new DataRequestService({ env: strict.env, now: () => clock.now, upstream: async () => upstream });
  }

  /** Runs the next step of a request, in an invocation of its own. */
  advance(id: string): Promise<StepResult> {
    return this.service.advance(id, dataRequestListener);
  }

  setScript(script: Partial<ProviderScript>): void {
    Object.assign(this.#script, script);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const part = request.method === 'POST' ? 'create' : pathname.endsWith('/files') ? 'list' : 'file';
    this.calls.push(part);
    if (part === 'create') {
      const form = await request.clone().formData();
      this.webhookUrls.push(String(form.get('webhook_url')));
      this.orderedIds.push(form.getAll('ids').map(String));
    }
    const answer = await this.#script[part](request);
    if (!answer.headers.has('x-ratelimit-limit-second'))
      answer.headers.set('x-ratelimit-limit-second', '9999');
    return answer;
  }

  /** Makes a request for two companies. @param more - with `cached`: ids of others that come from the cache */
  createRequest(more: { relayUrl?: string; keys?: string[]; cached?: string[] } = {}): Promise<RequestRow> {
    const operation: BulkOperation | undefined = findBulkOperation('company_clean', 'ids');
    if (operation === undefined) throw new Error('no bulk by ids');
    const selection = { keys: more.keys ?? ['1', '2'] };
    return this.service.create(
      { operation, selection, relayUrl: more.relayUrl ?? null, columns: null },
      async () =>
        more.cached === undefined
          ? priceKeys(selection)
          : {
              records: selection.keys.length + more.cached.length,
              selection,
              split: { kind: 'ids', cached: more.cached, ordered: selection.keys },
            },
      {
        payer: { team: 'team', token: 'token' },
        origin: 'http://127.0.0.1:8787',
        idempotencyKey: null,
      },
    );
  }

  /**
   * Orders companies by id as the add-on does: only what is not cached and fresh.
   * @param more - `afterSplit` runs between the split and the claim of the keys
   */
  orderByIds(
    keys: string[],
    more: { team?: string; idempotencyKey?: string; afterSplit?: () => Promise<void> } = {},
  ): Promise<RequestRow> {
    const operation = findBulkOperation('company_clean', 'ids');
    if (operation === undefined) throw new Error('no bulk by ids');
    const payer = { team: more.team ?? 'team', token: 'token' };
    const { identity } = this;
    const ask = (question: SingleFlightRequest) => fetchCalls(env, question);
    const split = () =>
      splitKeys(
        env,
        { kind: 'ids', family: 'company_clean', keys },
        { identity, payer, lane: 'bulk', now: () => clock.now, fetchCalls: ask },
      );
    return this.service.create(
      { operation, selection: { keys }, relayUrl: null, columns: null },
      async () => {
        const priced = { records: keys.length, selection: { keys }, split: await split() };
        await more.afterSplit?.();
        return priced;
      },
      { payer, origin: 'http://127.0.0.1:8787', idempotencyKey: more.idempotencyKey ?? null },
    );
  }

  /** Takes steps until the request is over or waits for so long. */
  async runSteps(id: string, untilMs = Number.POSITIVE_INFINITY): Promise<StepResult> {
    for (let left = 100; left > 0; left -= 1) {
      const next = await this.advance(id);
      if (next.over || next.waitMs >= untilMs) return next;
      clock.now += next.waitMs;
    }
    throw new Error('it does not end');
  }

  async getRow(id: string): Promise<RequestRow> {
    const row = await this.service.repository.get(id);
    if (row === undefined) throw new Error(`no request ${id}`);
    return row;
  }

  /** How often the provider was asked for something. */
  countCalls(part: keyof ProviderScript): number {
    return this.calls.filter((call) => call === part).length;
  }
}
