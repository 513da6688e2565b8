// A provider in the test's hands: it speaks the service's collect, enrich, search and preview, fails as it is told, and
// counts every call and every credit.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '../listen.ts';
import { type Fault, Faults, isCharged, spoil } from './faults.ts';
import { RateLimiter } from './pace.ts';
import {
  buildNotFoundBody,
  buildRecord,
  isRecordRequest,
  type ProviderRequest,
  parseRequest,
} from './records.ts';

/** What the test may change at any time. */
export interface ProviderSettings {
  /** How long each answer takes, milliseconds. */
  latencyMs: number;
  /** Calls in a second. */
  perS: number;
  /** Credits that are left. */
  balance: number;
  /** About how long a record is as JSON, at least. */
  recordBytes: number;
  /** What stands in the records of some keys beside what is made up, or in its place. */
  recordsByKey: Readonly<Record<string, object>>;
  /** What every search and preview finds. */
  searchResults: readonly { id: number }[];
}

/** A call that reached the provider. */
export interface ReceivedCall {
  /** Milliseconds since 1970. */
  at: number;
  /** As it was asked, decoded; of a search, its query. */
  key: string;
  /** As they came. */
  headers: IncomingHttpHeaders;
  /** The status that was answered, or the fault that was met. */
  outcome: number | Fault['kind'];
  /** Credits that it was charged. */
  credits: number;
}

/** A running provider. */
export interface Provider {
  /** Ends in `/cdapi`. */
  baseUrl: string;
  settings: ProviderSettings;
  /** Every call with the right API key, in order. */
  calls: readonly ReceivedCall[];
  /** Sets what goes wrong from now on, in place of what was set before. */
  fail: (...faults: readonly Fault[]) => void;
  /** Calls that were answered or failed, without those that came too fast; of one key, where one is named. */
  count: (key?: string) => number;
  /** Credits charged; for one key, where one is named. */
  credits: (key?: string) => number;
  /** How many calls are being answered at the moment. */
  countOpenCalls: () => number;
  close: () => Promise<void>;
}

/** How a provider is made. */
export interface ProviderOptions extends Partial<ProviderSettings> {
  /** The key that it takes. */
  apiKey: string;
  /** Milliseconds since 1970; the machine's clock where absent. */
  now?: () => number;
  /** From 0 up to 1, for faults that happen to a share of calls; every second number is below a half where absent. */
  random?: () => number;
}

const defaults: ProviderSettings = {
  latencyMs: 0,
  perS: 10_000,
  balance: 10_000_000,
  recordBytes: 200,
  recordsByKey: {},
  searchResults: [],
};

/** Evenly spread, the same in each run. */
function countingRandom(): () => number {
  let turn = 0;
  const step = 0.618_033_988_749_895;
  return () => {
    turn += 1;
    return (turn * step) % 1;
  };
}

/** Starts a provider. */
export async function startProvider(options: ProviderOptions): Promise<Provider> {
  const { apiKey, now = Date.now, random = countingRandom(), ...given } = options;
  const settings: ProviderSettings = { ...defaults, ...given };
  const calls: ReceivedCall[] = [];
  const faults = new Faults(random);
  const pace = new RateLimiter(now);
  let open = 0;

  /** @returns undefined where there is none */
  function buildBody(question: ProviderRequest): unknown {
    if (!isRecordRequest(question)) {
      return question.operation.name === 'search'
        ? settings.searchResults.map(({ id }) => id)
        : settings.searchResults;
    }
    const made = buildRecord(question, settings.recordBytes);
    return made && { ...made, ...settings.recordsByKey[question.key] };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = request.method === 'POST' ? await text(request) : undefined;
    const question = parseRequest(new URL(request.url ?? '/', 'http://provider'), sent);
    const given = request.headers.apikey;
    if (given !== apiKey) {
      const message = given === undefined ? 'No API key found in request' : 'Unauthorized';
      return json(response, 401, {}, JSON.stringify({ message }));
    }
    if (question === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
      return;
    }
    const { key, operation } = question;
    const left = pace.take(settings.perS);
    const headers: Record<string, string> = {
      'x-ratelimit-limit-second': String(settings.perS),
      'x-ratelimit-remaining-second': String(Math.max(0, left)),
    };
    const note = (outcome: ReceivedCall['outcome'], credits = 0): void => {
      settings.balance -= credits;
      headers['x-credits-remaining'] = String(settings.balance);
      calls.push({ at: now(), key, headers: request.headers, outcome, credits });
    };
    if (left < 0) {
      note(429);
      return json(response, 429, headers, '{"message":"API rate limit exceeded"}');
    }
    const body = buildBody(question);
    const fault = faults.take(key);
    if (fault !== undefined) {
      note(fault.kind, isCharged(fault) && body !== undefined ? operation.credits : 0);
      await pause(settings.latencyMs);
      return spoil(fault, response, { headers, body: JSON.stringify(body ?? {}) });
    }
    if (body === undefined) {
      note(404);
      await pause(settings.latencyMs);
      return json(response, 404, headers, isRecordRequest(question) ? buildNotFoundBody(question) : '{}');
    }
    if (settings.balance < operation.credits) {
      note(402);
      return json(response, 402, headers, '{"detail":"Insufficient credits"}');
    }
    note(200, operation.credits);
    await pause(settings.latencyMs);
    const { length } = settings.searchResults;
    const page = isRecordRequest(question)
      ? {}
      : { 'x-total-results': String(length), 'x-total-pages': '1', 'x-items-per-page': String(length) };
    json(response, 200, { ...headers, ...page }, JSON.stringify(body));
  }

  const { origin, close } = await listen((request, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    // A caller that goes before it has asked is no call.
    answer(request, response).catch(() => response.destroy());
  });
  const ofKey = (key: string | undefined): ReceivedCall[] =>
    calls.filter((call) => key === undefined || call.key === key);
  return {
    baseUrl: `${origin}/cdapi`,
    settings,
    calls,
    fail: (...list) => faults.set(list),
    count: (key) => ofKey(key).filter(({ outcome }) => outcome !== 429).length,
    credits: (key) => ofKey(key).reduce((sum, { credits }) => sum + credits, 0),
    countOpenCalls: () => open,
    close,
  };
}

function json(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(body);
}
