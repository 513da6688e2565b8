// Client of the provider's data request API: submit, list files, download. Each call needs a permit of the provider
// throttle. No call is retried here.
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

/** How long a step waits for a permit. */
const PERMIT_WAIT_MS = 10_000;
/** Uploading a form with 10,000 keys takes time. */
const RESPONSE_TIMEOUT_MS = 60_000;
/** Files are large. */
const FILE_TIMEOUT_MS = 600_000;
const MAX_RESPONSE_BYTES = 256 * 1024;
const MAX_FILES = 1000;

const createdSchema = z.object({ request_id: z.string().regex(/^[\w-]{1,100}$/) });
/** A plain name, never a path. */
const fileNameSchema = z
  .string()
  .max(200)
  .regex(/^[\w-][\w.-]*$/)
  .refine((name) => !name.includes('..'));
const fileListSchema = z.object({ data_request_files: z.array(fileNameSchema).max(MAX_FILES) });

/** Returns whether a text can be the name of a result file. */
export const isFileName = (text: string): boolean => fileNameSchema.safeParse(text).success;

/**
 * Result of submitting a request. `retry`: the provider did not accept it. `unclear`: the provider may have accepted it.
 */
export type SubmitResult =
  | { kind: 'created'; id: string }
  | { kind: 'rejected'; answer: RawResponse }
  | { kind: 'retry' }
  | { kind: 'unclear' };

/** State of a request at the provider. */
export type ListResult =
  | { kind: 'ready'; files: string[] }
  | { kind: 'running' }
  | { kind: 'rejected'; answer: RawResponse }
  /** The account is empty, the API key is rejected, or the provider does not respond: this may change. */
  | { kind: 'retry'; answer?: RawResponse };

/** Statuses about the API key or the account, not about the request. */
const ACCOUNT_STATUSES = new Set([401, 402, 403]);

/** Permit for one call, whose outcome must be reported. */
interface Permit {
  grantedAt?: number;
}

function parseWholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}

/** Calls the provider for the data requests of one team. */
export class ProviderClient {
  readonly #env: Env;
  readonly #upstream: Upstream;
  readonly #team: string;

  /** @param team - the throttle is fair between teams */
  constructor(env: Env, upstream: Upstream, team: string) {
    this.#env = env;
    this.#upstream = upstream;
    this.#team = team;
  }

  /** Acquires a permit for one call. @returns undefined where none is free in time */
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
   * Reports the credits of a request to the provider throttle, which compares them with the provider's balance.
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
    // The provider's answer counts even where the throttle is unreachable.
    try {
      await getProviderThrottle(this.#env, this.#upstream.identity).report([report]);
    } catch (error) {
      logError('gate_not_told', error);
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
      logError('provider_answer_unread', error, { status: response.status });
      throw error;
    }
  }

  /** Submits a request. Never throws. */
  async submit(
    path: string,
    { body, headers }: { body: FormData | string; headers: Record<string, string> },
    leave: Permit,
  ): Promise<SubmitResult> {
    try {
      const response = await this.#send(path, leave, RESPONSE_TIMEOUT_MS, { method: 'POST', body, headers });
      const { status } = response;
      // The provider answers 429 and 503 before it processes a request.
      if (status === 429 || status === 503 || classifyStatus(status) === 'not_sent') {
        await response.body?.cancel();
        return { kind: 'retry' };
      }
      const answer = await this.#text(response);
      if (status === 201 || status === 200) {
        const read = createdSchema.safeParse(parseJson(answer));
        return read.success ? { kind: 'created', id: read.data.request_id } : { kind: 'unclear' };
      }
      return status >= 400 && status < 500 ? { kind: 'rejected', answer } : { kind: 'unclear' };
    } catch (error) {
      return { kind: classifyError(error) === 'not_sent' ? 'retry' : 'unclear' };
    }
  }

  /** Lists the files of a request. Free. Never throws. */
  async listFiles(id: string, leave: Permit): Promise<ListResult> {
    const path = fileOperations.list.path.replace('{data_request_id}', encodeURIComponent(id));
    try {
      const answer = await this.#text(await this.#send(path, leave, RESPONSE_TIMEOUT_MS));
      if (answer.status === 202) return { kind: 'running' };
      if (answer.status === 200) {
        const read = fileListSchema.safeParse(parseJson(answer));
        return read.success ? { kind: 'ready', files: read.data.data_request_files } : { kind: 'retry' };
      }
      const final = answer.status >= 400 && answer.status < 500 && answer.status !== 429;
      return final && !ACCOUNT_STATUSES.has(answer.status)
        ? { kind: 'rejected', answer }
        : { kind: 'retry', answer };
    } catch {
      return { kind: 'retry' };
    }
  }

  /**
   * Opens a file as a stream. Free. Never throws.
   * @returns its bytes; the provider's answer where it is an error; undefined where the connection failed
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
   * @throws where the connection fails
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
