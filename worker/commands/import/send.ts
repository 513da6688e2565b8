// Puts records into a running instance's sandbox, batch by batch.
import * as z from 'zod';
import type { Family } from '../../../shared/families/index.ts';
import type { ImportResult } from '../../sandbox/record-routes.ts';
import { fetchIdempotent } from '../instance/fetch-idempotent.ts';
import type { Session } from '../instance/session.ts';

const answerBody = z.object({
  added: z.number(),
  changed: z.number(),
  unchanged: z.number(),
  refused: z.array(z.object({ index: z.number(), reason: z.string() })),
  shared_websites: z.array(z.object({ website: z.string(), ids: z.array(z.string()) })),
}) satisfies z.ZodType<ImportResult>;

/**
 * The records of a batch together stay under what a database takes in one parameter (2 MB). Each batch is written to
 * lists all over the index, so that fewer of them take less time.
 */
const MAX_BATCH_RECORDS = 400;
const MAX_BATCH_BYTES = 1_700_000;

/** What a record takes in a parameter: its JSON, as a text in JSON. */
function bytesOf(record: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(record)));
}

/**
 * Sends one batch.
 * @throws Error where the instance does not take it
 */
async function sendBatch(
  session: Session,
  family: Family,
  records: readonly unknown[],
): Promise<ImportResult> {
  const response = await fetchIdempotent(`${session.url}/provider/records/${family}`, {
    method: 'POST',
    headers: { apikey: session.provider_key, 'content-type': 'application/json' },
    body: JSON.stringify({ records }),
  });
  if (!response.ok) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
  return answerBody.parse(await response.json());
}

/** Collects the records of one family and sends them in batches of bounded size. */
export class Sender<T> {
  readonly #session: Session;
  readonly #family: Family;
  readonly #onAnswer: (answer: ImportResult, sent: readonly T[]) => void;
  #batch: { origin: T; record: unknown }[] = [];
  #bytes = 0;
  /** The batch that is on its way. */
  #sending: Promise<void> = Promise.resolve();

  /** @param onAnswer - told what became of each batch, and where its records came from */
  constructor(
    session: Session,
    family: Family,
    onAnswer: (answer: ImportResult, sent: readonly T[]) => void,
  ) {
    this.#session = session;
    this.#family = family;
    this.#onAnswer = onAnswer;
  }

  /**
   * Takes a record. A full batch is sent while the next one is being filled.
   * @param origin - handed to `onAnswer` with the answer
   */
  async add(record: unknown, origin: T): Promise<void> {
    const bytes = bytesOf(record);
    if (this.#bytes + bytes > MAX_BATCH_BYTES || this.#batch.length === MAX_BATCH_RECORDS) {
      await this.#sendOn();
    }
    this.#batch.push({ origin, record });
    this.#bytes += bytes;
  }

  /** Sends what is left, and waits until all of it is taken. */
  async flush(): Promise<void> {
    await this.#sendOn();
    await this.#sending;
  }

  /** Begins to send the batch when the one before has been taken. */
  async #sendOn(): Promise<void> {
    await this.#sending;
    const batch = this.#batch;
    this.#batch = [];
    this.#bytes = 0;
    if (batch.length === 0) return;
    this.#sending = this.#send(batch);
    // Told to whoever waits for it next.
    this.#sending.catch(() => {});
  }

  async #send(batch: readonly { origin: T; record: unknown }[]): Promise<void> {
    const answer = await sendBatch(
      this.#session,
      this.#family,
      batch.map(({ record }) => record),
    );
    this.#onAnswer(
      answer,
      batch.map(({ origin }) => origin),
    );
  }
}
