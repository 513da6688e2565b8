// The rows of the data requests, and how they are read.
import * as z from 'zod';
import { type Family, familyNames } from '../../../shared/families/index.ts';

/**
 * waiting: nothing has been done yet · writing: the records are known, their files are being written ·
 * unpaid: the files are there, the credits were not · ready, failed: ended
 */
export type RequestState = 'waiting' | 'writing' | 'unpaid' | 'ready' | 'failed';

/** An answer that GET files gives in place of files. */
export interface Failure {
  status: number;
  /** JSON. */
  body: string;
}

/** A data request. */
export interface DataRequest {
  id: string;
  family: Family;
  /** Credits for one record. */
  price: number;
  state: RequestState;
  /** Milliseconds since 1970, by the provider's clock. */
  createdAt: number;
  /** Tries of the work on it. */
  attempts: number;
  failure: Failure | undefined;
  webhook: string | undefined;
  /** Tries to send the webhook. */
  webhookAttempts: number;
}

/** A file of a data request, or what is to become one. */
export interface PartRow {
  number: number;
  name: string;
  ids: string[];
  /** How many stand in the file; undefined until it is written. */
  records: number | undefined;
}

const keyListSchema = z.object({ kind: z.enum(['id', 'shorthand_name']) });
/** What a request selects, as it is kept: of a list only the kind of its keys. */
export const selectionSchema = z.union([
  z.object({ keys: keyListSchema }),
  z.object({
    query: z.object({
      style: z.enum(['filter', 'es_dsl']),
      query: z.unknown(),
      limit: z.number().exactOptional(),
    }),
  }),
]);
/** A list that is kept as JSON. */
export const stringListSchema = z.array(z.string());

const failureSchema = z.object({ status: z.number(), body: z.string() });

/** A row of {@link COLUMNS}. */
export const requestRowSchema = z
  .object({
    id: z.string(),
    family: z.enum(familyNames),
    price: z.number(),
    state: z.enum(['waiting', 'writing', 'unpaid', 'ready', 'failed']),
    created_at: z.number(),
    attempts: z.number(),
    failure: z.string().nullable(),
    webhook: z.string().nullable(),
    webhook_attempts: z.number(),
  })
  .transform(
    (row): DataRequest => ({
      id: row.id,
      family: row.family,
      price: row.price,
      state: row.state,
      createdAt: row.created_at,
      attempts: row.attempts,
      failure: row.failure === null ? undefined : failureSchema.parse(JSON.parse(row.failure)),
      webhook: row.webhook ?? undefined,
      webhookAttempts: row.webhook_attempts,
    }),
  );

/** What {@link requestRowSchema} reads. */
export const COLUMNS = 'id, family, price, state, created_at, attempts, failure, webhook, webhook_attempts';
