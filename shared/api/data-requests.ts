// Bodies of data requests: orders, estimates, states and rows.
import * as z from 'zod';
import { maxRequestRecords } from '../limits.ts';
import { anyFields, column, count, family, fieldPaths, namesObject, problemSummary, time } from './common.ts';

/** Days for which rows can be read again for free. */
export const dataRequestRetentionDays = 30;

/** Data requests of a team in the 30 days that their rows are kept, and records in them. */
export const maxStoredRequests = 20_000;
export const maxStoredRecords = 10_000_000;

/** Valid tickets for the event stream of one data request. */
export const maxRequestTickets = 20;

/** Maximum length of a URL in browsers. */
const MAX_KEY_LENGTH = 2048;
const MAX_CURSOR = 500;
/** Maximum number of rows in a page. */
export const maxRowsPage = 5000;
const DEFAULT_ROWS = 500;
const MAX_LISTED = 100;
const DEFAULT_LISTED = 20;
const MAX_IDEMPOTENCY_KEY = 200;

const commonMembers = {
  family,
  limit: z.int().min(1).exactOptional().describe('Maximum number of records.'),
  columns: fieldPaths.exactOptional().describe('Default columns of the rows.'),
  any_fields: anyFields,
  max_credits: z
    .int()
    .min(0)
    .exactOptional()
    .describe('The price that was shown. A higher price is rejected with `price_changed`.'),
};

const keyList = z
  .array(z.string().max(MAX_KEY_LENGTH))
  .min(1)
  .max(maxRequestRecords)
  .describe('Ids, shorthand names or profile URLs, depending on `kind`.');

export const newDataRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('filter'), filters: namesObject, ...commonMembers }),
  z.strictObject({
    kind: z.literal('es_dsl'),
    es_dsl: namesObject.describe('A DSL body {"query": …, "sort": …}, or only its query.'),
    ...commonMembers,
  }),
  z.strictObject({ kind: z.literal('ids'), keys: keyList, ...commonMembers }),
  z.strictObject({ kind: z.literal('shorthand_names'), keys: keyList, ...commonMembers }),
  z.strictObject({ kind: z.literal('urls'), keys: keyList, ...commonMembers }),
]);
export type NewDataRequest = z.infer<typeof newDataRequest>;

/** Ways to select the records of a data request. */
export type DataRequestKind = NewDataRequest['kind'];

type SelectionPart<Request> = Request extends unknown
  ? Omit<Request, 'family' | 'columns' | 'max_credits'>
  : never;

export type DataRequestSelection = SelectionPart<NewDataRequest>;

export const idempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(MAX_IDEMPOTENCY_KEY)
    .exactOptional()
    .describe('Chosen by the caller. Calls with the same key create one data request.'),
});

export const dataRequestParams = z.object({ id: z.uuid() });

const wholeNumber = z
  .string()
  .regex(/^\d{1,6}$/, 'is not a whole number')
  .transform(Number);

export const listQuery = z.object({
  after: z.uuid().exactOptional().describe('`after` from the previous page.'),
  limit: wholeNumber.pipe(z.int().min(1).max(MAX_LISTED)).default(DEFAULT_LISTED),
});

export const rowsQuery = z.object({
  after: z.string().min(1).max(MAX_CURSOR).exactOptional().describe('`after` from the previous page.'),
  limit: wholeNumber.pipe(z.int().min(1).max(maxRowsPage)).default(DEFAULT_ROWS),
  columns: z
    .string()
    .transform((text) => text.split(',').map((path) => path.trim()))
    .pipe(fieldPaths)
    .exactOptional()
    .describe('Paths such as `name,funding_rounds[0].last_round_type`.'),
});

export const dataRequestEstimate = z.object({
  total: count.describe('Number of matching records or distinct keys.'),
  records: count.describe('Maximum number of records that the request returns.'),
  cached: count.describe('Records from the cache, which are free.'),
  ordered: count.describe('Records ordered from the provider.'),
  credits: count.describe('Maximum price of the ordered records.'),
  problem: problemSummary
    .exactOptional()
    .describe('Why the order would be rejected now: other orders are already fetching some of the records.'),
});
export type DataRequestEstimate = z.infer<typeof dataRequestEstimate>;

/**
 * States of a data request. `reserved`: credits are reserved, nothing was sent. `submitted`: the provider accepted it.
 * `unclear`: it was sent, but the answer is unknown, so it counts as charged and is never sent again. The last four are
 * final.
 */
export const dataRequestStates = [
  'reserved',
  'submitted',
  'running',
  'ingesting',
  'ready',
  'failed',
  'cancelled',
  'unclear',
] as const;
const dataRequestState = z.enum(dataRequestStates);
export type DataRequestState = z.infer<typeof dataRequestState>;

/** A data request, as its team sees it. */
export const dataRequestView = z.object({
  id: z.uuid(),
  state: dataRequestState.describe('The last four states are final.'),
  family,
  kind: z.string(),
  cancel_requested: z
    .boolean()
    .describe('True: the caller has cancelled it. What was sent is still charged.'),
  requested: count.describe('Number of requested records.'),
  cached: count.describe('Records from the cache, which are free.'),
  rows: count.describe('Number of available rows.'),
  credits: z.object({
    reserved: count.describe('Credits reserved until the delivery is known.'),
    charged: count.nullable().describe('Credits charged. Null until known.'),
    saved: count.describe('What its rows from records already bought would have cost.'),
  }),
  files: z.array(z.object({ name: z.string(), rows: count.nullable(), bytes: count.nullable() })),
  columns: z.array(z.string()).nullable(),
  created_at: time,
  updated_at: time,
  ended_at: time.nullable(),
  rows_until: time.describe('Time until which the rows can be read for free.'),
  problem: problemSummary.exactOptional().describe('Why the request failed, or a warning.'),
});
export type DataRequestView = z.infer<typeof dataRequestView>;

export const dataRequestList = z.object({
  requests: z.array(dataRequestView),
  after: z.string().nullable(),
});

export const cancelledDataRequest = z.object({
  request: dataRequestView,
  released: z.boolean().describe('True: the reserved credits were released.'),
  message: z.string(),
});

export const dataRequestRows = z.object({
  columns: z.array(column),
  rows: z.array(z.array(z.unknown())).describe('One value for each column.'),
  after: z.string().nullable().describe('Cursor of the next page. Null on the last page.'),
});
export type DataRequestRows = z.infer<typeof dataRequestRows>;

export const eventTicket = z.object({
  ticket: z.string().describe('Single-use ticket for the event stream.'),
  expires_at: time,
});
