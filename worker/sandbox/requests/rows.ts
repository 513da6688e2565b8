// Row types of the data request tables, and their schemas.
import * as z from 'zod';
import { type Family, familyNames } from '../../../shared/families/index.ts';

/**
 * waiting: not started · writing: the records are known, their files are being written ·
 * unpaid: the files exist, the balance didn't cover them · ready, failed: ended
 */
export type RequestState = 'waiting' | 'writing' | 'unpaid' | 'ready' | 'failed';

/** An error response that GET files returns in place of files. */
export interface Failure {
  status: number;
  /** JSON text. */
  body: string;
}

export interface DataRequest {
  id: string;
  family: Family;
  /** Credits for one record. */
  price: number;
  state: RequestState;
  /** Milliseconds since 1970, by the provider's clock. */
  createdAt: number;
  /** Attempts to process it. */
  attempts: number;
  failure: Failure | undefined;
  webhook: string | undefined;
  webhookAttempts: number;
}

/** A file of a data request, written or planned. */
export interface PartRow {
  number: number;
  name: string;
  ids: string[];
  /** Number of records in the file; undefined until it is written. */
  records: number | undefined;
}

const keyListSchema = z.object({ kind: z.enum(['id', 'shorthand_name']) });
/** The stored selection: of a key list only the kind of the keys. */
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

/** The columns that {@link requestRowSchema} reads. */
export const COLUMNS = 'id, family, price, state, created_at, attempts, failure, webhook, webhook_attempts';
