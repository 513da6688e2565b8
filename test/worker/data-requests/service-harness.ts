// A data request service with a scripted provider. The test runs each step as a separate invocation and sets the clock.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import type { BulkOperation } from '../../../shared/operations.ts';
import { findBulkOperation, type Pricing, priceKeys } from '../../../worker/data-requests/order/order.ts';
import { splitKeys } from '../../../worker/data-requests/order/split-keys.ts';
import { DataRequestService } from '../../../worker/data-requests/service.ts';
import type { StepResult } from '../../../worker/data-requests/state-machine.ts';
import type { RequestRow } from '../../../worker/db/schema.ts';
import type { DevelopmentEnv } from '../../../worker/env.ts';
import { fetchCalls, sendDeliveredRecords } from '../../../worker/gateway/single-flight/client.ts';
import type { Upstream } from '../../../worker/gateway/upstream/upstream.ts';
import { deleteJobs } from '../../../worker/queue/jobs.ts';
import { dataRequestListener } from '../../../worker/tables/data-request-listener.ts';
import { clock, metricsDataset, recordViolation } from '../platform.ts';
import { StrictRuntime } from '../strict/index.ts';

/** Answers a call of the provider; it may throw. */
export type ProviderHandler = (request: Request) => Response | Promise<Response>;

/** The provider's handlers. */
export interface ProviderScript {
  create: ProviderHandler;
  list: ProviderHandler;
  file: ProviderHandler;
}

let providerCount = 0;

const runtime = new StrictRuntime({ clock: () => clock.now });

/** Builds a response with gzipped JSON Lines. */
export function gzipLines(...records: object[]): Response {
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip')));
}

/** Builds a handler that returns JSON with a status. */
export const respond =
  (status: number, body: object = { detail: 'no' }): ProviderHandler =>
  () =>
    Response.json(body, { status });

export const PROVIDER_ID = '11111111-2222-4333-8444-555555555555';

const defaultScript: ProviderScript = {
  create: respond(201, { request_id: PROVIDER_ID }),
  list: respond(200, { data_request_files: ['part-0.json.gz'] }),
  file: () => gzipLines({ id: 1, name: 'One' }, { id: 2, name: 'Two' }),
};

/** Creates a provider that delivers exactly the ordered companies of each data request. */
export function deliverOrderedRecords(): ProviderScript {
  const idsByRequest = new Map<string, string[]>();
  const parseRequestId = ({ url }: Request): string => /data_requests\/([0-9a-f-]{36})/.exec(url)?.[1] ?? '';
  return {
    create: async (request) => {
      const id = crypto.randomUUID();
      idsByRequest.set(id, (await request.formData()).getAll('ids').map(String));
      return Response.json({ request_id: id }, { status: 201 });
    },
    list: defaultScript.list,
    file: (request) =>
      gzipLines(
        ...(idsByRequest.get(parseRequestId(request)) ?? []).map((id) => ({
          id: Number(id),
          name: `Company ${id}`,
        })),
      ),
  };
}

/** A data request service and its calls to the provider. */
export class ServiceHarness {
  /** Calls of the provider, in order. */
  readonly calls: (keyof ProviderScript)[] = [];
  /** Webhook URLs that the provider received. */
  readonly webhookUrls: string[] = [];
  /** Identity of the provider. */
  readonly identity: string;
  /** The ids of each data request that the provider received. */
  readonly orderedIds: string[][] = [];
  /** Cached records that one step delivers. Undefined: the default. */
  cachedPerStep: number | undefined;
  readonly #script: ProviderScript;

  /**
   * @param script - overrides of the default handlers
   * @param identity - of the provider; a new one if absent
   */
  constructor(script: Partial<ProviderScript> = {}, identity = `service-${providerCount++}`) {
    this.identity = identity;
    this.#script = { ...defaultScript, ...script };
  }

  /** A new service, as in a separate invocation. */
  get service(): DataRequestService {
    const bindings: DevelopmentEnv = Object.assign({ ...env }, { METRICS: metricsDataset });
    const strict = runtime.wrapBindings(bindings, { onViolation: recordViolation });
    const upstream: Upstream = {
      identity: this.identity,
      baseUrl: 'http://127.0.0.1/cdapi',
      apiKey: env.SANDBOX_KEY,
      fetch: strict.wrapFetch((request) => this.#answer(request)),
    };
    return new DataRequestService({
      env: strict.env,
      now: () => clock.now,
      upstream: async () => upstream,
      ...(this.cachedPerStep === undefined ? {} : { cachedPerStep: this.cachedPerStep }),
    });
  }

  /** Runs the next step of a data request, without a lease. */
  async advance(id: string): Promise<StepResult> {
    const result = await this.service.advance(id, dataRequestListener);
    if (result.over) await deleteJobs(drizzle(env.DB), 'data_request', [id]);
    return result;
  }

  setScript(script: Partial<ProviderScript>): void {
    Object.assign(this.#script, script);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const operation = request.method === 'POST' ? 'create' : pathname.endsWith('/files') ? 'list' : 'file';
    this.calls.push(operation);
    if (operation === 'create') {
      const form = await request.clone().formData();
      this.webhookUrls.push(String(form.get('webhook_url')));
      this.orderedIds.push(form.getAll('ids').map(String));
    }
    const answer = await this.#script[operation](request);
    if (!answer.headers.has('x-ratelimit-limit-second'))
      answer.headers.set('x-ratelimit-limit-second', '9999');
    return answer;
  }

  #create(
    keys: string[],
    price: () => Promise<Pricing>,
    more: { team?: string; webhookUrl?: string; idempotencyKey?: string },
  ): Promise<RequestRow> {
    const operation: BulkOperation | undefined = findBulkOperation('company_clean', 'ids');
    if (operation === undefined) throw new Error('no bulk by ids');
    return this.service.create(
      { operation, selection: { keys }, webhookUrl: more.webhookUrl ?? null, columns: null },
      price,
      {
        payer: { team: more.team ?? 'team', token: 'token' },
        origin: 'http://127.0.0.1:8787',
        idempotencyKey: more.idempotencyKey ?? null,
      },
    );
  }

  /** Creates a data request for two companies. @param more - `cached`: ids of further companies from the cache */
  createRequest(more: { webhookUrl?: string; keys?: string[]; cached?: string[] } = {}): Promise<RequestRow> {
    const { keys = ['1', '2'], cached } = more;
    const selection = { keys };
    const split = { kind: 'ids', cached: cached ?? [], ordered: keys } as const;
    const price = async (): Promise<Pricing> =>
      cached === undefined
        ? priceKeys(selection)
        : { records: keys.length + cached.length, selection, split };
    return this.#create(keys, price, more);
  }

  /**
   * Orders companies by id as the add-on does: only the ones that are not cached.
   * @param more - `afterSplit` runs between the split and the claim of the keys
   */
  orderByIds(
    keys: string[],
    more: { team?: string; idempotencyKey?: string; afterSplit?: () => Promise<void> } = {},
  ): Promise<RequestRow> {
    const price = async (): Promise<Pricing> => {
      const split = await splitKeys(
        env,
        { kind: 'ids', family: 'company_clean', keys },
        {
          identity: this.identity,
          payer: { team: more.team ?? 'team', token: 'token' },
          lane: 'bulk',
          now: () => clock.now,
          fetchCalls: (request) => fetchCalls(env, request),
        },
      );
      await more.afterSplit?.();
      return { records: keys.length, selection: { keys }, split };
    };
    return this.#create(keys, price, more);
  }

  /** Caches companies with some ids. */
  async cacheCompanies(ids: readonly (string | number)[]): Promise<void> {
    const records = ids.map((id) => ({ id: Number(id), name: `Cached ${id}` }));
    const { identity } = this;
    await sendDeliveredRecords(env, { identity, family: 'company_clean', records, fetchedAt: clock.now });
  }

  /** Runs steps until the data request has ended, or must wait for at least some time. */
  async runSteps(id: string, untilMs = Number.POSITIVE_INFINITY): Promise<StepResult> {
    for (let left = 100; left > 0; left -= 1) {
      const next = await this.advance(id);
      if (next.over || next.waitMs >= untilMs) return next;
      clock.now += next.waitMs;
    }
    throw new Error('the data request does not end');
  }

  async getRow(id: string): Promise<RequestRow> {
    const row = await this.service.repository.get(id);
    if (row === undefined) throw new Error(`no data request ${id}`);
    return row;
  }

  countCalls(operation: keyof ProviderScript): number {
    return this.calls.filter((call) => call === operation).length;
  }
}
