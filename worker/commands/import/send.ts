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

interface Batch {
  records: unknown[];
  lines: number[];
  bytes: number;
  /** The batch before, which is being sent while this one fills. */
  sending: Promise<void>;
}

/** Sends records in batches. Those of a family are sent one after another. */
export class RecordSender {
  readonly #session: Session;
  readonly #onResult: (family: Family, result: ImportResult, lines: readonly number[]) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #batches = new Map<Family, Batch>();

  /**
   * @param onResult - receives the result of each batch and the lines of its records
   * @param signal - cancels requests
   */
  constructor(
    session: Session,
    onResult: (family: Family, result: ImportResult, lines: readonly number[]) => void,
    signal?: AbortSignal,
  ) {
    this.#session = session;
    this.#onResult = onResult;
    this.#signal = signal;
  }

  /** Adds a record. @param line - of its file */
  async add(family: Family, record: unknown, line = 0): Promise<void> {
    const bytes = measureRecord(record);
    let batch = this.#batches.get(family);
    const isFull =
      batch !== undefined &&
      (batch.bytes + bytes > MAX_BATCH_BYTES || batch.records.length === MAX_BATCH_RECORDS);
    if (batch === undefined || isFull) batch = await this.#startBatch(family);
    batch.records.push(record);
    batch.lines.push(line);
    batch.bytes += bytes;
  }

  /** Sends the remaining records and waits for all results. */
  async flush(): Promise<void> {
    for (const family of this.#batches.keys()) await (await this.#startBatch(family)).sending;
  }

  /** Sends the batch of a family after the previous one, and starts an empty one. */
  async #startBatch(family: Family): Promise<Batch> {
    const full = this.#batches.get(family);
    await full?.sending;
    const sending =
      full === undefined || full.records.length === 0 ? Promise.resolve() : this.#send(family, full);
    // The next caller that awaits it receives the error.
    sending.catch(() => {});
    const batch = { records: [], lines: [], bytes: 0, sending };
    this.#batches.set(family, batch);
    return batch;
  }

  async #send(family: Family, { records, lines }: Batch): Promise<void> {
    this.#onResult(family, await sendBatch(this.#session, family, records, this.#signal), lines);
  }
}
