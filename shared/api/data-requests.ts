// Data requests: what they ask for, what they would cost, how they stand, and the rows that they brought.
import * as z from 'zod';
import { maxRequestRecords } from '../limits.ts';
import { anyFields, column, count, family, fieldPaths, jsonObject, problemSummary, time } from './common.ts';

/** Rows can be read again for free for so many days. */
export const dataRequestRetentionDays = 30;

/** A URL of the greatest length that browsers take. */
const MAX_KEY_LENGTH = 2048;
const MAX_CURSOR = 500;
const MAX_ROWS = 5000;
const DEFAULT_ROWS = 500;
const MAX_LISTED = 100;
const DEFAULT_LISTED = 20;
const MAX_IDEMPOTENCY_KEY = 200;

const commonMembers = {
  family,
  limit: z.int().min(1).exactOptional().describe('Bring at most so many records.'),
  columns: fieldPaths
    .exactOptional()
    .describe('The columns of its rows, where none are named when they are read.'),
  any_fields: anyFields,
  max_credits: z
    .int()
    .min(0)
    .exactOptional()
    .describe('The price that was shown: where it costs more by now, nothing is ordered.'),
};

const keyList = z
  .array(z.string().max(MAX_KEY_LENGTH))
  .min(1)
  .max(maxRequestRecords)
  .describe('Ids, shorthand names or profile URLs, as `kind` says.');

/** Body of `POST /sheets/v1/requests`. */
export const newDataRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('filter'), filters: jsonObject, ...commonMembers }),
  z.strictObject({
    kind: z.literal('es_dsl'),
    es_dsl: jsonObject.describe('A body of the query DSL, {"query": …, "sort": …}, or its query alone.'),
    ...commonMembers,
  }),
  z.strictObject({ kind: z.literal('ids'), keys: keyList, ...commonMembers }),
  z.strictObject({ kind: z.literal('shorthand_names'), keys: keyList, ...commonMembers }),
  z.strictObject({ kind: z.literal('urls'), keys: keyList, ...commonMembers }),
]);
export type NewDataRequest = z.infer<typeof newDataRequest>;

/** The ways to name the records of a request. */
export type DataRequestKind = NewDataRequest['kind'];

type SelectionPart<Request> = Request extends unknown
  ? Omit<Request, 'family' | 'columns' | 'max_credits'>
  : never;

/** The part of a request that says which records it is for. */
export type DataRequestSelection = SelectionPart<NewDataRequest>;

export const idempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(MAX_IDEMPOTENCY_KEY)
    .exactOptional()
    .describe('Of the caller’s making: the same call sent again makes one request.'),
});

export const dataRequestParams = z.object({ id: z.uuid() });

const wholeNumber = z
  .string()
  .regex(/^\d{1,6}$/, 'is not a whole number')
  .transform(Number);

export const listQuery = z.object({
  after: z.uuid().exactOptional().describe('From the page before.'),
  limit: wholeNumber.pipe(z.int().min(1).max(MAX_LISTED)).default(DEFAULT_LISTED),
});

export const rowsQuery = z.object({
  after: z.string().min(1).max(MAX_CURSOR).exactOptional().describe('From the page before.'),
  limit: wholeNumber.pipe(z.int().min(1).max(MAX_ROWS)).default(DEFAULT_ROWS),
  columns: z
    .string()
    .transform((text) => text.split(',').map((path) => path.trim()))
    .pipe(fieldPaths)
    .exactOptional()
    .describe('Paths such as `name,funding_rounds[0].last_round_type`.'),
});

/** Answer of `POST /sheets/v1/estimate/data-request`: what a request would bring and cost now. */
export const dataRequestEstimate = z.object({
  total: count.describe('Records that the query matches, or distinct keys.'),
  records: count.describe('Records that the request brings at most.'),
  cached: count.describe('Of these: records that come from the cache, for free.'),
  ordered: count.describe('Of these: records that are ordered from the provider.'),
  credits: count.describe('What the ordered ones cost at most.'),
  problem: problemSummary
    .exactOptional()
    .describe('Why the order would be refused now: other orders have some of these records on their way.'),
});
export type DataRequestEstimate = z.infer<typeof dataRequestEstimate>;

/**
 * `reserved`: credits are held, nothing was sent. `submitted`: the provider has it. `unclear`: it was sent and nobody heard
 * the answer, so it may have been charged and is never sent again. The last four are final.
 */
const dataRequestState = z.enum([
  'reserved',
  'submitted',
  'running',
  'ingesting',
  'ready',
  'failed',
  'cancelled',
  'unclear',
]);
export type DataRequestState = z.infer<typeof dataRequestState>;

/** A request, as its team sees it. */
export const dataRequestView = z.object({
  id: z.uuid(),
  state: dataRequestState.describe('How it stands; the last four are final.'),
  family,
  kind: z.string(),
  watched: z.boolean().describe('False: it is charged all the same, but tells nobody when it is ready.'),
  asked: count.describe('Records that are wanted.'),
  cached: count.describe('Of these: records that come from the cache, for free.'),
  rows: count.describe('Rows that can be read.'),
  credits: z.object({
    reserved: count.describe('Credits held until it is known what was delivered.'),
    charged: count.nullable().describe('Credits that it cost; null until that is known.'),
  }),
  files: z.array(z.object({ name: z.string(), rows: count.nullable(), bytes: count.nullable() })),
  columns: z.array(z.string()).nullable(),
  created_at: time,
  updated_at: time,
  ended_at: time.nullable(),
  rows_until: time.describe('Until then its rows are read for free.'),
  problem: problemSummary.exactOptional().describe('Why it failed, or what to know about it.'),
});
export type DataRequestView = z.infer<typeof dataRequestView>;

/** Answer of `GET /sheets/v1/requests`, the newest first. */
export const dataRequestList = z.object({
  requests: z.array(dataRequestView),
  after: z.string().nullable(),
});
export type DataRequestList = z.infer<typeof dataRequestList>;

/** Answer of `DELETE /sheets/v1/requests/{id}`. */
export const cancelledDataRequest = z.object({
  request: dataRequestView,
  released: z.boolean().describe('Were its credits given back?'),
  message: z.string(),
});
export type CancelledDataRequest = z.infer<typeof cancelledDataRequest>;

/** Answer of `GET /sheets/v1/requests/{id}/rows`. */
export const dataRequestRows = z.object({
  columns: z.array(column),
  rows: z.array(z.array(z.unknown())).describe('A value for each column.'),
  after: z.string().nullable().describe('Cursor to the next page; null on the last.'),
});
export type DataRequestRows = z.infer<typeof dataRequestRows>;

/** Answer of `POST /sheets/v1/requests/{id}/ticket`. */
export const eventTicket = z.object({
  ticket: z.string().describe('Opens the events once.'),
  expires_at: time,
});
export type EventTicket = z.infer<typeof eventTicket>;
