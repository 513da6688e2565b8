// A scripted provider: collect, enrich, search and preview with configurable faults. It records all calls and credits.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '../listen.ts';
import { type Fault, Faults, isCharged, sendFault } from './faults.ts';
import {
  buildNotFoundBody,
  buildRecord,
  isRecordRequest,
  type ProviderRequest,
  parseRequest,
} from './records.ts';

/** Settings that a test may change at any time. */
export interface ProviderSettings {
  /** Response time in milliseconds. */
  latencyMs: number;
  /** Calls per second. */
  perS: number;
  /** Remaining credits. */
  balance: number;
  /** Approximate minimum size of records as JSON. */
  recordBytes: number;
  /** Fields that are added to the records of some keys. */
  recordsByKey: Readonly<Record<string, object>>;
  /** Results of every search and preview. */
  searchResults: readonly { id: number }[];
}

/** A recorded call. */
export interface ReceivedCall {
  /** The decoded key; for a search the query. */
  key: string;
  headers: IncomingHttpHeaders;
  /** Status of the response, or the fault. */
  outcome: number | Fault['kind'];
  /** Charged credits. */
  credits: number;
}

/** A running provider. */
export interface Provider {
  /** Ends in `/cdapi`. */
  baseUrl: string;
  settings: ProviderSettings;
  /** All calls with the correct API key, in order. */
  calls: readonly ReceivedCall[];
  /** Replaces the configured faults. */
  fail: (...faults: readonly Fault[]) => void;
  /** Withholds responses. @returns a function that sends them and ends this */
  holdResponses: () => () => void;
  /** Counts calls without 429s, of one key or all. */
  count: (key?: string) => number;
  /** Sums charged credits, of one key or all. */
  credits: (key?: string) => number;
  close: () => Promise<void>;
}

/** Options of a provider. */
export interface ProviderOptions extends Partial<ProviderSettings> {
  /** The accepted API key. */
  apiKey: string;
}

const defaults: ProviderSettings = {
  latencyMs: 0,
  perS: 10_000,
  balance: 10_000_000,
  recordBytes: 200,
  recordsByKey: {},
  searchResults: [],
};

/** Limits the calls of each clock second, over all operations. Provider API, "Credits and limits". */
class RateLimiter {
  #second = 0;
  #calls = 0;

  /**
   * Counts a call.
   * @param perS - calls per second
   * @returns the remaining calls of this second; -1 if the limit is exceeded
   */
  take(perS: number): number {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#second) this.#calls = 0;
    this.#second = second;
    if (this.#calls >= perS) return -1;
    this.#calls += 1;
    return perS - this.#calls;
  }
}

/** Starts a provider. */
export async function startProvider(options: ProviderOptions): Promise<Provider> {
  const { apiKey, ...overrides } = options;
  const settings: ProviderSettings = { ...defaults, ...overrides };
  const calls: ReceivedCall[] = [];
  const faults = new Faults();
  const rateLimiter = new RateLimiter();
  let released = Promise.resolve();

  async function delay(): Promise<void> {
    await pause(settings.latencyMs);
    await released;
  }

  /** @returns undefined if there is no record */
  function buildBody(providerRequest: ProviderRequest): unknown {
    if (!isRecordRequest(providerRequest)) {
      return providerRequest.operation.name === 'search'
        ? settings.searchResults.map(({ id }) => id)
        : settings.searchResults;
    }
    const record = buildRecord(providerRequest, settings.recordBytes);
    return record && { ...record, ...settings.recordsByKey[providerRequest.key] };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestBody = request.method === 'POST' ? await text(request) : undefined;
    const providerRequest = parseRequest(new URL(request.url ?? '/', 'http://provider'), requestBody);
    const { apikey } = request.headers;
    if (apikey !== apiKey) {
      const message = apikey === undefined ? 'No API key found in request' : 'Unauthorized';
      return json(response, 401, {}, JSON.stringify({ message }));
    }
    if (providerRequest === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
      return;
    }
    const { key, operation } = providerRequest;
    const remaining = rateLimiter.take(settings.perS);
    const headers: Record<string, string> = {
      'x-ratelimit-limit-second': String(settings.perS),
      'x-ratelimit-remaining-second': String(Math.max(0, remaining)),
    };
    const recordCall = (outcome: ReceivedCall['outcome'], credits = 0): void => {
      settings.balance -= credits;
      headers['x-credits-remaining'] = String(settings.balance);
      calls.push({ key, headers: request.headers, outcome, credits });
    };
    if (remaining < 0) {
      recordCall(429);
      return json(response, 429, headers, '{"message":"API rate limit exceeded"}');
    }
    const body = buildBody(providerRequest);
    const fault = faults.find(key);
    if (fault !== undefined) {
      recordCall(fault.kind, isCharged(fault) && body !== undefined ? operation.credits : 0);
      await delay();
      return sendFault(fault, response, { headers, body: JSON.stringify(body ?? {}) });
    }
    if (body === undefined) {
      recordCall(404);
      await delay();
      return json(
        response,
        404,
        headers,
        isRecordRequest(providerRequest) ? buildNotFoundBody(providerRequest) : '{}',
      );
    }
    if (settings.balance < operation.credits) {
      recordCall(402);
      return json(response, 402, headers, '{"detail":"Insufficient credits"}');
    }
    recordCall(200, operation.credits);
    await delay();
    const { length } = settings.searchResults;
    const page = isRecordRequest(providerRequest)
      ? {}
      : { 'x-total-results': String(length), 'x-total-pages': '1', 'x-items-per-page': String(length) };
    json(response, 200, { ...headers, ...page }, JSON.stringify(body));
  }

  const { origin, close } = await listen((request, response) => {
    // A client that disconnects before it has sent its request makes no call.
    answer(request, response).catch(() => response.destroy());
  });
  const listCalls = (key: string | undefined): ReceivedCall[] =>
    calls.filter((call) => key === undefined || call.key === key);
  return {
    baseUrl: `${origin}/cdapi`,
    settings,
    calls,
    fail: (...list) => faults.set(list),
    holdResponses: () => {
      let release = (): void => undefined;
      released = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
    count: (key) => listCalls(key).filter(({ outcome }) => outcome !== 429).length,
    credits: (key) => listCalls(key).reduce((sum, { credits }) => sum + credits, 0),
    close,
  };
}

function json(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(body);
}
