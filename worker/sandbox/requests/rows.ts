// The rows of the data request tables.
import * as z from 'zod';
import { familyNames } from '../../../shared/families/index.ts';

const querySelectionSchema = z.object({
  style: z.enum(['filter', 'es_dsl']),
  /** The filter object or the DSL body, as JSON with bigints. */
  query: z.unknown(),
  /** Maximum number of delivered records. */
  limit: z.number().exactOptional(),
});
export type QuerySelection = z.infer<typeof querySelectionSchema>;

/** The stored selection: of a key list only the kind of the keys. */
export const selectionSchema = z.union([
  z.object({ keys: z.object({ kind: z.enum(['id', 'shorthand_name']) }) }),
  z.object({ query: querySelectionSchema }),
]);
export const stringListSchema = z.array(z.string());

const failureSchema = z.object({
  status: z.number(),
  /** JSON text. */
  body: z.string(),
});
/** An error response that GET files returns in place of files. */
export type Failure = z.infer<typeof failureSchema>;

/** A row of {@link COLUMNS}. */
export const requestRowSchema = z.object({
  id: z.string(),
  family: z.enum(familyNames),
  /** Credits for one record. */
  price: z.number(),
  /**
   * waiting: not started · writing: the records are known, their files are being written ·
   * unpaid: the files exist, the balance didn't cover them · ready, failed: ended
   */
  state: z.enum(['waiting', 'writing', 'unpaid', 'ready', 'failed']),
  /** Milliseconds since 1970, by the provider's clock. */
  createdAt: z.number(),
  /** Attempts to process it. */
  attempts: z.number(),
  failure: z
    .string()
    .nullable()
    .transform((text) => (text === null ? undefined : failureSchema.parse(JSON.parse(text)))),
  webhook: z.string().nullable(),
  webhookAttempts: z.number(),
});
export type DataRequest = z.infer<typeof requestRowSchema>;

/** The columns that {@link requestRowSchema} reads. */
export const COLUMNS =
  'id, family, price, state, created_at AS createdAt, attempts, failure, webhook, webhook_attempts AS webhookAttempts';
