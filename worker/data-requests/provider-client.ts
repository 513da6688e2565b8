// The three calls by which the provider makes a data request, tells how it stands and hands out its files: each by the
// gate's leave, none of them sent twice by itself.
import * as z from 'zod';
import { fileOperations } from '../../shared/operations.ts';
import type { Env } from '../env.ts';
import { getProviderThrottle } from '../gateway/provider-throttle/provider-throttle-object.ts';
import type { Report } from '../gateway/provider-throttle/types.ts';
import { classifyError, classifyStatus, sendToProvider } from '../gateway/upstream/delivery.ts';
import { toRawResponse } from '../gateway/upstream/raw-response.ts';
import type { RawResponse, Upstream } from '../gateway/upstream/upstream.ts';
import { logError } from '../http/log.ts';
import { readText } from '../http/read-text.ts';

/** How long a step waits for its turn at the provider. */
const PERMIT_WAIT_MS = 10_000;
/** A form with 10,000 keys takes its time. */
const RESPONSE_TIMEOUT_MS = 60_000;
/** Files are large; what stops for so long has broken. */
const FILE_TIMEOUT_MS = 600_000;
const MAX_RESPONSE_BYTES = 256 * 1024;
const MAX_FILES = 1000;

const createdSchema = z.object({ request_id: z.string().regex(/^[\w-]{1,100}$/) });
/** A name that is no path: nothing in it leads elsewhere. */
const fileNameSchema = z
  .string()
  .max(200)
  .regex(/^[\w-][\w.-]*$/)
  .refine((name) => !name.includes('..'));
const fileListSchema = z.object({ data_request_files: z.array(fileNameSchema).max(MAX_FILES) });

/** Tells whether a text can be the name of a file of a data request. */
export const isFileName = (text: string): boolean => fileNameSchema.safeParse(text).success;

/**
 * What came of sending a request. `later`: the provider has not heard it. `unclear`: nobody knows whether it has.
 */
export type SubmitResult =
  | { kind: 'made'; id: string }
  | { kind: 'refused'; answer: RawResponse }
  | { kind: 'later' }
  | { kind: 'unclear' };

/** How a request stands with the provider. */
export type ListResult =
  | { kind: 'ready'; files: string[] }
  | { kind: 'running' }
  | { kind: 'refused'; answer: RawResponse }
  /** The account is empty, our key is refused, or the provider does not answer: that may change. */
  | { kind: 'later'; answer?: RawResponse };

/** Statuses that speak of our key or our account, not of the request. */
const ACCOUNT_STATUSES = new Set([401, 402, 403]);

/** Leave to send one call; it has to be reported what came of it. */
interface Permit {
  grantedAt?: number;
}

function parseWholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}

/** The provider, as data requests reach it. */
export class ProviderClient {
  readonly #env: Env;
  readonly #upstream: Upstream;
  readonly #team: string;

  /** @param team - whose turn it is at the gate */
  constructor(env: Env, upstream: Upstream, team: string) {
    this.#env = env;
    this.#upstream = upstream;
    this.#team = team;
  }

  /** @returns undefined where the turn does not come in time */
  async acquirePermit(): Promise<Permit | undefined> {
    const gate = getProviderThrottle(this.#env, this.#upstream.identity);
    const permit = await gate.acquire({
      team: this.#team,
      lane: 'bulk',
      calls: 1,
      credits: 0,
      waitMs: PERMIT_WAIT_MS,
    });
    if (permit.granted === 0) return undefined;
    return permit.grantedAt === undefined ? {} : { grantedAt: permit.grantedAt };
  }

  /**
   * Tells the gate what a request cost, so that the provider's balance can be compared; it belongs to no call on its way.
   */
  async reportCharge(credits: number): Promise<void> {
    await getProviderThrottle(this.#env, this.#upstream.identity).report([
      { outcome: 'unused', grantedAt: 0, charged: credits, unclear: 0 },
    ]);
  }

  async #report({ grantedAt }: Permit, answer: Response | undefined): Promise<void> {
    const limitPerS = parseWholeNumber(answer?.headers.get('x-ratelimit-limit-second') ?? null);
    const retryAfter = parseWholeNumber(answer?.headers.get('retry-after') ?? null);
    const report: Report = {
      outcome:
        answer === undefined || answer.status >= 500
          ? 'failed'
          : answer.status === 429
            ? 'rate_limited'
            : 'answered',
      charged: 0,
      unclear: 0,
      ...(grantedAt === undefined ? {} : { grantedAt }),
      ...(limitPerS === undefined || limitPerS === 0 ? {} : { limitPerS }),
      ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter * 1000 }),
    };
    // What the provider answered counts, whether the gate hears of it or not.
    try {
      await getProviderThrottle(this.#env, this.#upstream.identity).report([report]);
    } catch (error) {
      logError('provider_throttle_report_failed', error);
    }
  }

  async #send(path: string, leave: Permit, timeoutMs: number, init: RequestInit = {}): Promise<Response> {
    let answer: Response | undefined;
    try {
      answer = await sendToProvider(this.#upstream, path, {
        ...init,
        signal: AbortSignal.timeout(timeoutMs),
      });
      return answer;
    } finally {
      await this.#report(leave, answer);
    }
  }

  async #text(response: Response): Promise<RawResponse> {
    try {
      const body = (await readText(response, MAX_RESPONSE_BYTES)) ?? '';
      return toRawResponse(response, body, this.#upstream.apiKey);
    } catch (error) {
      logError('provider_response_unreadable', error, { status: response.status });
      throw error;
    }
  }

  /** Sends a request. Never throws: whatever happens is a result. */
  async submit(
    path: string,
    { body, headers }: { body: FormData | string; headers: Record<string, string> },
    leave: Permit,
  ): Promise<SubmitResult> {
    try {
      const response = await this.#send(path, leave, RESPONSE_TIMEOUT_MS, { method: 'POST', body, headers });
      const { status } = response;
      // Overload and too many calls are said before a request is looked at.
      if (status === 429 || status === 503 || classifyStatus(status) === 'not_sent') {
        await response.body?.cancel();
        return { kind: 'later' };
      }
      const answer = await this.#text(response);
      if (status === 201 || status === 200) {
        const read = createdSchema.safeParse(parseJson(answer));
        return read.success ? { kind: 'made', id: read.data.request_id } : { kind: 'unclear' };
      }
      return status >= 400 && status < 500 ? { kind: 'refused', answer } : { kind: 'unclear' };
    } catch (error) {
      return { kind: classifyError(error) === 'not_sent' ? 'later' : 'unclear' };
    }
  }

  /** Asks how a request stands. Free; never throws. */
  async listFiles(id: string, leave: Permit): Promise<ListResult> {
    const path = fileOperations.list.path.replace('{data_request_id}', encodeURIComponent(id));
    try {
      const answer = await this.#text(await this.#send(path, leave, RESPONSE_TIMEOUT_MS));
      if (answer.status === 202) return { kind: 'running' };
      if (answer.status === 200) {
        const read = fileListSchema.safeParse(parseJson(answer));
        return read.success ? { kind: 'ready', files: read.data.data_request_files } : { kind: 'later' };
      }
      const final = answer.status >= 400 && answer.status < 500 && answer.status !== 429;
      return final && !ACCOUNT_STATUSES.has(answer.status)
        ? { kind: 'refused', answer }
        : { kind: 'later', answer };
    } catch {
      return { kind: 'later' };
    }
  }

  /**
   * Opens a file for somebody who reads it as it comes. Free; never throws.
   * @returns its bytes; the provider's answer where it is no file; undefined where none came
   */
  async openFile(
    id: string,
    name: string,
    leave: Permit,
  ): Promise<ReadableStream<Uint8Array> | RawResponse | undefined> {
    try {
      const response = await this.fetchFile(id, name, leave);
      return response.status === 200 && response.body !== null ? response.body : await this.#text(response);
    } catch {
      return undefined;
    }
  }

  /**
   * Fetches a file. Free.
   * @throws what the connection throws
   */
  async fetchFile(id: string, name: string, leave: Permit): Promise<Response> {
    const path = fileOperations.download.path
      .replace('{data_request_id}', encodeURIComponent(id))
      .replace('{file_name}', encodeURIComponent(name));
    return this.#send(path, leave, FILE_TIMEOUT_MS);
  }
}

function parseJson({ body }: RawResponse): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
