// Puts records into a running instance's embedded provider, batch by batch.
import { z } from 'zod';
import type { Family } from '../../../shared/families.ts';
import type { ImportAnswer } from '../../provider/manage.ts';
import type { Session } from '../session.ts';

const answerBody = z.object({
  added: z.number(),
  changed: z.number(),
  unchanged: z.number(),
  refused: z.array(z.object({ index: z.number(), reason: z.string() })),
  shared_websites: z.array(z.object({ website: z.string(), ids: z.array(z.string()) })),
}) satisfies z.ZodType<ImportAnswer>;

/** The records of a batch together stay well under what a database takes in one parameter (2 MB). */
const MAX_BATCH_RECORDS = 250;
const MAX_BATCH_CHARACTERS = 600_000;

/**
 * Sends one batch.
 * @throws Error where the instance does not take it
 */
async function sendBatch(
  session: Session,
  family: Family,
  records: readonly unknown[],
): Promise<ImportAnswer> {
  const response = await fetch(`${session.url}/provider/records/${family}`, {
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
  readonly #onAnswer: (answer: ImportAnswer, sent: readonly T[]) => void;
  #batch: { origin: T; record: unknown }[] = [];
  #characters = 0;

  /** @param onAnswer - told what became of each batch, and where its records came from */
  constructor(
    session: Session,
    family: Family,
    onAnswer: (answer: ImportAnswer, sent: readonly T[]) => void,
  ) {
    this.#session = session;
    this.#family = family;
    this.#onAnswer = onAnswer;
  }

  /** @param origin - handed to `onAnswer` with the answer */
  async add(record: unknown, origin: T): Promise<void> {
    const characters = JSON.stringify(record).length;
    if (this.#characters + characters > MAX_BATCH_CHARACTERS || this.#batch.length === MAX_BATCH_RECORDS) {
      await this.flush();
    }
    this.#batch.push({ origin, record });
    this.#characters += characters;
  }

  /** Sends what is left. */
  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#characters = 0;
    if (batch.length === 0) return;
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
