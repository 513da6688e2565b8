// Bodies of /admin/v1 for erasures: previews, proofs and refused keys.
import * as z from 'zod';
import { page } from './admin.ts';
import { recordKey } from './admin-records.ts';
import { count, family, time } from './common.ts';

const MAX_ID_LENGTH = 200;

export const erasurePreview = z.object({
  family,
  key: recordKey,
  erased: z.boolean().describe('True: this key is refused already.'),
  keys: count.describe('Keys that would be refused.'),
  cached: count.describe('Cached answers for these keys, in any family.'),
  rows: count.describe('Rows of data requests.'),
  more: z.boolean().describe('True: there may be more of each.'),
});
export type ErasurePreview = z.infer<typeof erasurePreview>;

const removedCounts = z.object({
  keys: z.number().describe('Keys that are refused from now on.'),
  kv: z.number(),
  flights: z.number(),
  pages: z.number(),
  mentions: z.number().describe('Records of others from which the person or company was removed.'),
  rows: z.number().describe('Rows of data requests.'),
});

/**
 * Response of `POST erasures`, `DELETE records/{family}/{key}` and `GET erasures/{id}`: the proof, and the number of removed
 * copies by place.
 */
export const erasureView = z.object({
  id: z.string(),
  subject: z.string().describe('What was erased: `company`, `employee`, `job` or `post`.'),
  erased_at: time,
  gone_everywhere_by: time
    .nullable()
    .describe('Time after which no copy is left anywhere; null while a large erasure continues.'),
  progress: z
    .object({ done: count, of: count })
    .nullable()
    .describe('Stores that are done, while it removes copies. Null before and after.'),
  removed: removedCounts,
});
export type ErasureView = z.infer<typeof erasureView>;

export const erasureParams = z.object({ id: z.string().min(1).max(MAX_ID_LENGTH) });

export const erasureList = z.object({ erasures: z.array(erasureView), next: z.string().nullable() });
export type ErasureList = z.infer<typeof erasureList>;

const pseudonym = z.string().regex(/^[\w-]{1,200}$/, 'is not a pseudonym');

export const refusedKeyQuery = page.extend({
  after: pseudonym.optional().describe('`next` from the previous page.'),
});

export const refusedKeyList = z.object({
  total: count.describe('Number of all refused keys.'),
  keys: z.array(
    z.object({
      pseudonym: z.string().describe('HMAC of the key, which is not stored.'),
      erasure: z.string().describe('Id of the erasure.'),
      refused_at: time,
    }),
  ),
  next: z.string().nullable(),
});
export type RefusedKeyList = z.infer<typeof refusedKeyList>;
