// Client for the provider's data request API: create, list files, download. It never retries a call.
import * as z from 'zod';
import { fileOperations } from '../../shared/operations.ts';
import { createProblem, type ProblemCode } from '../../shared/problems.ts';
import type { Failure } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { getProviderThrottle } from '../gateway/provider-throttle/provider-throttle-object.ts';
import { DATA_REQUESTS_AREA, type Report } from '../gateway/provider-throttle/types.ts';
import { readHints } from '../gateway/upstream/provider-headers.ts';
import { identifyKey, toRawResponse } from '../gateway/upstream/redact-key.ts';
import { classifyError, classifyStatus, sendToProvider } from '../gateway/upstream/send-to-provider.ts';
import type { RawResponse, Upstream } from '../gateway/upstream/upstream.ts';
import { logError } from '../http/log.ts';
import { readText } from '../http/read-body.ts';
import { parseJson } from '../lib/exact-json.ts';
import { sha256Hex } from '../lib/hash.ts';

/** How long a step waits for a permit of the provider throttle. */
const PERMIT_WAIT_MS = 10_000;
/** Allows for a form with 10,000 keys. */
const RESPONSE_TIMEOUT_MS = 60_000;
/** Allows for the largest result file. */
const FILE_TIMEOUT_MS = 600_000;
const MAX_RESPONSE_BYTES = 256 * 1024;
const MAX_FILES = 1000;

const createdSchema = z.object({ request_id: z.string().regex(/^[\w-]{1,100}$/) });
/** A plain file name, without path components. */
const fileNameSchema = z
  .string()
  .max(200)
  .regex(/^[\w-][\w.-]*$/)
  .refine((name) => !name.includes('..'));
const fileListSchema = z.object({ data_request_files: z.array(fileNameSchema).max(MAX_FILES) });

export const isFileName = (text: string): boolean => fileNameSchema.safeParse(text).success;

/**
 * Result of submitting a data request. `not_sent`: the provider did not receive it. `unclear`: it may have received it.
 */
export type SubmitResult =
  | { kind: 'created'; id: string }
  | { kind: 'refused'; response: RawResponse }
  | { kind: 'not_sent' }
  | { kind: 'unclear' };

/** Status of a data request at the provider. */
export type ListResult =
  | { kind: 'ready'; files: string[] }
  | { kind: 'running' }
  | { kind: 'refused'; response: RawResponse }
  /** A temporary failure: no credits, a refused API key, or no answer. */
  | { kind: 'unavailable'; response?: RawResponse };

/** Statuses that concern our API key or account, not the data request. */
const ACCOUNT_STATUSES = new Set([401, 402, 403]);

/** Permit to send one call. The outcome of the call must be reported. */
interface Permit {
  grantedAt?: number;
}

/** Calls the provider for the data requests of a team. */
export class ProviderClient {
  readonly #env: Env;
  readonly #upstream: Upstream;
  readonly #team: string;
  readonly #now: () => number;

  /** @param team - the throttle is fair between teams */
  constructor(env: Env, upstream: Upstream, team: string, now: () => number) {
    this.#env = env;
    this.#now = now;
    this.#upstream = upstream;
    this.#team = team;
  }

  /** @returns undefined if no permit is granted in time */
  async acquirePermit(): Promise<Permit | undefined> {
    const throttle = getProviderThrottle(this.#env, this.#upstream.identity);
    const permit = await throttle.acquire({
      key: await identifyKey(this.#upstream.apiKey),
      team: this.#team,
      purpose: 'purchase',
      lane: 'bulk',
      calls: 1,
      credits: 0,
      waitMs: PERMIT_WAIT_MS,
    });
    if (permit.granted === 0) return undefined;
    return permit.grantedAt === undefined ? {} : { grantedAt: permit.grantedAt };
  }

  /**
   * Reports the charge of a data request to the throttle, which compares the provider's balance with it. The charge belongs
   * to no call in progress.
   */
  async reportCharge(credits: number): Promise<void> {
    await getProviderThrottle(this.#env, this.#upstream.identity).report([
      { outcome: 'unused', grantedAt: 0, charged: credits, unclear: 0 },
    ]);
  }

  async #report(
    { grantedAt }: Permit,
    path: string,
    answer: Response | undefined,
    ms: number,
  ): Promise<void> {
    // The balance is not compared: a data request is charged later.
    const { balance: _, ...hints } = answer === undefined ? {} : readHints(answer.headers, this.#now());
    const report: Report = {
      key: await identifyKey(this.#upstream.apiKey),
      call: {
        team: this.#team,
        purpose: 'purchase',
        area: DATA_REQUESTS_AREA,
        question: await sha256Hex(path),
        operation: 'bulk',
        ms,
      },
      outcome:
        answer === undefined || answer.status >= 500
          ? 'failed'
          : answer.status === 429
            ? 'rate_limited'
            : 'answered',
      charged: 0,
      unclear: 0,
      // A refused key is not reported as such: the request waits for its next step anyway.
      ...(answer?.status === 401 || answer?.status === 403 ? { accessRefused: 'call' } : {}),
      ...(grantedAt === undefined ? {} : { grantedAt }),
      ...hints,
    };
    // A lost report must not hide the provider's response.
    try {
      await getProviderThrottle(this.#env, this.#upstream.identity).report([report]);
    } catch (error) {
      logError('provider_throttle_report_failed', error);
    }
  }

  async #send(path: string, permit: Permit, timeoutMs: number, init: RequestInit = {}): Promise<Response> {
    let answer: Response | undefined;
    const started = this.#now();
    try {
      answer = await sendToProvider(this.#upstream, path, {
        ...init,
        signal: AbortSignal.timeout(timeoutMs),
      });
      return answer;
    } finally {
      await this.#report(permit, path, answer, this.#now() - started);
    }
  }

  async #readBody(response: Response): Promise<RawResponse> {
    try {
      const body = (await readText(response, MAX_RESPONSE_BYTES)) ?? '';
      return toRawResponse(response, body, this.#upstream.apiKey);
    } catch (error) {
      logError('provider_response_unreadable', error, { status: response.status });
      throw error;
    }
  }

  /** Creates a data request at the provider. Never throws. */
  async submit(
    path: string,
    { body, headers }: { body: FormData | string; headers: Record<string, string> },
    permit: Permit,
  ): Promise<SubmitResult> {
    try {
      const response = await this.#send(path, permit, RESPONSE_TIMEOUT_MS, { method: 'POST', body, headers });
      const { status } = response;
      // The provider sends 429 and 503 before it processes a data request.
      if (status === 429 || status === 503 || classifyStatus(status) === 'not_sent') {
        await response.body?.cancel();
        return { kind: 'not_sent' };
      }
      const answer = await this.#readBody(response);
      if (status === 201 || status === 200) {
        const created = createdSchema.safeParse(parseJson(answer.body));
        return created.success ? { kind: 'created', id: created.data.request_id } : { kind: 'unclear' };
      }
      return status >= 400 && status < 500 ? { kind: 'refused', response: answer } : { kind: 'unclear' };
    } catch (error) {
      return { kind: classifyError(error) === 'not_sent' ? 'not_sent' : 'unclear' };
    }
  }

  /** Lists the files of a data request, or returns its status. Free; never throws. */
  async listFiles(id: string, permit: Permit): Promise<ListResult> {
    const path = fileOperations.list.path.replace('{data_request_id}', encodeURIComponent(id));
    try {
      const response = await this.#readBody(await this.#send(path, permit, RESPONSE_TIMEOUT_MS));
      if (response.status === 202) return { kind: 'running' };
      if (response.status === 200) {
        const list = fileListSchema.safeParse(parseJson(response.body));
        return list.success
          ? { kind: 'ready', files: list.data.data_request_files }
          : { kind: 'unavailable' };
      }
      const isFinal = response.status >= 400 && response.status < 500 && response.status !== 429;
      return isFinal && !ACCOUNT_STATUSES.has(response.status)
        ? { kind: 'refused', response }
        : { kind: 'unavailable', response };
    } catch {
      return { kind: 'unavailable' };
    }
  }

  /**
   * Opens a file as a stream. Free; never throws.
   * @returns its bytes; the provider's answer if that is no file; undefined if there is no answer
   */
  async openFile(
    id: string,
    name: string,
    permit: Permit,
  ): Promise<ReadableStream<Uint8Array> | RawResponse | undefined> {
    try {
      const response = await this.fetchFile(id, name, permit);
      return response.status === 200 && response.body !== null
        ? response.body
        : await this.#readBody(response);
    } catch {
      return undefined;
    }
  }

  /**
   * Downloads a file. Free.
   * @throws if the connection fails
   */
  async fetchFile(id: string, name: string, permit: Permit): Promise<Response> {
    const path = fileOperations.download.path
      .replace('{data_request_id}', encodeURIComponent(id))
      .replace('{file_name}', encodeURIComponent(name));
    return this.#send(path, permit, FILE_TIMEOUT_MS);
  }
}

/** Maps an error of the file list. Provider API, "Bulk": 422 means that no record matched. */
export function toListFailure(answer: RawResponse): Failure {
  return answer.status === 422
    ? { problem: 'not_found', detail: 'The provider has none of the records that were asked for.', answer }
    : toProviderFailure(answer);
}

const problemsByStatus: Readonly<Record<number, ProblemCode>> = {
  400: 'invalid_request',
  401: 'provider_refused',
  402: 'provider_out_of_credits',
  403: 'provider_refused',
  409: 'invalid_request',
  422: 'invalid_request',
  429: 'rate_limited',
  500: 'provider_unavailable',
  502: 'provider_unavailable',
  503: 'provider_unavailable',
  504: 'provider_unavailable',
};

/** Maps any other error. */
export function toProviderFailure(answer: RawResponse): Failure {
  const problem = problemsByStatus[answer.status];
  return problem === undefined
    ? { problem: 'provider_refused', detail: createProblem('provider_refused').title, answer }
    : { problem, answer };
}
