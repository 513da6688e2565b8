// Sends records to the sandbox of a running instance in batches.
import * as z from 'zod';
import type { Family } from '../../../shared/families/index.ts';
import { stringifyExactly } from '../../lib/exact-json.ts';
import type { ImportResult } from '../../sandbox/record-routes.ts';
import { fetchIdempotent } from '../instance/health.ts';
import type { Session } from '../instance/session.ts';

const resultSchema = z.object({
  added: z.number(),
  changed: z.number(),
  unchanged: z.number(),
  refused: z.array(z.object({ index: z.number(), reason: z.string() })),
  shared_websites: z.array(z.object({ website: z.string(), ids: z.array(z.string()) })),
}) satisfies z.ZodType<ImportResult>;

/** A batch must fit into one database parameter (2 MB). */
const MAX_BATCH_RECORDS = 400;
const MAX_BATCH_BYTES = 1_700_000;

/** Returns the bytes of a record in a parameter: its JSON, encoded as a JSON string. */
function measureRecord(record: unknown): number {
  return Buffer.byteLength(JSON.stringify(stringifyExactly(record)));
}

/** Sends one batch. @throws Error if the instance does not accept it */
async function sendBatch(
  session: Session,
  family: Family,
  records: readonly unknown[],
  signal?: AbortSignal,
): Promise<ImportResult> {
  const response = await fetchIdempotent(`${session.url}/provider/records/${family}`, {
    method: 'POST',
    headers: { apikey: session.provider_key, 'content-type': 'application/json' },
    body: stringifyExactly({ records }),
    signal: signal ?? null,
  });
  if (!response.ok) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
  return resultSchema.parse(await response.json());
}

/** Collects the records of one family and sends them in batches. */
export class BatchSender<T> {
  readonly #session: Session;
  readonly #family: Family;
  readonly #signal: AbortSignal | undefined;
  readonly #onResult: (answer: ImportResult, sent: readonly T[]) => void;
  #batch: { origin: T; record: unknown }[] = [];
  #bytes = 0;
  #sending: Promise<void> = Promise.resolve();

  /**
   * @param onResult - receives the result of each batch and the origins of its records
   * @param signal - cancels requests
   */
  constructor(
    session: Session,
    family: Family,
    onResult: (answer: ImportResult, sent: readonly T[]) => void,
    signal?: AbortSignal,
  ) {
    this.#session = session;
    this.#family = family;
    this.#onResult = onResult;
    this.#signal = signal;
  }

  /**
   * Adds a record. A full batch is sent while the next one fills.
   * @param origin - passed to `onResult` with the result
   */
  async add(record: unknown, origin: T): Promise<void> {
    const bytes = measureRecord(record);
    if (this.#bytes + bytes > MAX_BATCH_BYTES || this.#batch.length === MAX_BATCH_RECORDS) {
      await this.#startSending();
    }
    this.#batch.push({ origin, record });
    this.#bytes += bytes;
  }

  /** Sends the remaining records and waits for all results. */
  async flush(): Promise<void> {
    await this.#startSending();
    await this.#sending;
  }

  /** Starts to send the batch after the previous one has finished. */
  async #startSending(): Promise<void> {
    await this.#sending;
    const batch = this.#batch;
    this.#batch = [];
    this.#bytes = 0;
    if (batch.length === 0) return;
    this.#sending = this.#send(batch);
    // The next caller that awaits it receives the error.
    this.#sending.catch(() => {});
  }

  async #send(batch: readonly { origin: T; record: unknown }[]): Promise<void> {
    const answer = await sendBatch(
      this.#session,
      this.#family,
      batch.map(({ record }) => record),
      this.#signal,
    );
    this.#onResult(
      answer,
      batch.map(({ origin }) => origin),
    );
  }
}
