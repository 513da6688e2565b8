// Bodies and endpoints of /admin/v1 for erasures: previews, proofs and refused keys.
import * as z from 'zod';
import { page } from './admin.ts';
import { personView } from './admin-people.ts';
import { keyProblems, namedRecord, ofRecord, recordKey, records } from './admin-records.ts';
import { endpointGroup } from './admin-roles.ts';
import { count, family, jsonObject, singleLineText, time } from './common.ts';

const MAX_ID_LENGTH = 200;
const MAX_REASON_LENGTH = 100;
const MAX_EMAIL_LENGTH = 320;

const reasonText = singleLineText(MAX_REASON_LENGTH);

const erasureRequest = namedRecord.extend({
  reference: reasonText
    .exactOptional()
    .describe('Number of the ticket, for the proof. Without personal data of the erased person.'),
  requester: reasonText
    .exactOptional()
    .describe('Who requested it, for the proof, such as `data protection officer`. Not the erased person.'),
});

const textCounts = z
  .object({
    saved_searches: count,
    runs: count.describe('Runs of the add-on with a title that names them.'),
    tables: count.describe('Registered tables, with their schedules.'),
    enrichments: count,
    spreadsheets: count.describe('Names of spreadsheets, in the report of costs.'),
    alert_messages: count,
  })
  .describe('Texts of teams that name the person or company by a key.');

export const erasurePreview = z.object({
  family,
  key: recordKey,
  erased: z.boolean().describe('True: this key is refused already.'),
  name: z.string().nullable().describe('Name in the cached records; null if none has one.'),
  records: z
    .array(z.object({ family, cached: count, rows: count }))
    .describe('Cached answers and rows by family.'),
  texts: textCounts,
  keys: count.describe('Keys that would be refused.'),
  cached: count.describe('Cached answers for these keys, in any family.'),
  rows: count.describe('Rows of data requests.'),
  more: z.boolean().describe('True: there may be more of each.'),
});
export type ErasurePreview = z.infer<typeof erasurePreview>;

/** Removed copies by place. */
export const removedCounts = z.object({
  keys: z.int().describe('Keys that are refused from now on.'),
  kv: z.int().describe('Cached answers in KV.'),
  single_flight: z.int().describe('Cached answers in single-flight objects.'),
  pages: z.int().describe('Of those in KV, pages of previews and searches.'),
  mentions: z.int().describe('Records of others from which the person or company was removed.'),
  rows: z.int().describe('Rows of data requests.'),
});

/**
 * Response of `POST erasures`, `DELETE records/{family}/{key}` and `GET erasures/{id}`: the proof, and the number of removed
 * copies by place.
 */
export const erasureView = z.object({
  id: z.string(),
  subject: z.string().describe('What was erased: `company`, `employee`, `job` or `post`.'),
  reference: z.string().nullable().describe('Number of the ticket, as the request stated it.'),
  requester: z.string().nullable().describe('Who requested it, as the request stated it.'),
  erased_at: time,
  complete_at: time
    .nullable()
    .describe('Time from which no copy is left; null while a large erasure continues.'),
  allowed_at: time.nullable().describe('When the company was allowed again; null while it is refused.'),
  progress: z
    .object({ done: count, total: count })
    .nullable()
    .describe('Stores that are done, while it removes copies. Null before and after.'),
  removed: removedCounts,
});
export type ErasureView = z.infer<typeof erasureView>;

/** At least a record or an e-mail address. */
const subjectReportRequest = z
  .strictObject({
    ...namedRecord.partial().shape,
    email: z.email().max(MAX_EMAIL_LENGTH).exactOptional().describe('Address of a signed-in person.'),
  })
  .refine(
    ({ family: name, key, email }) => (key === undefined ? email !== undefined : name !== undefined),
    'needs a family and a key, or an e-mail address',
  )
  .meta({ examples: [{ family: 'employee_clean', key: 'jane-doe' }] });

export const subjectReport = z.object({
  id: z.string().describe('Number of the report, which the audit log has.'),
  created_at: time,
  keys: z.array(recordKey).describe('Keys that lead to each other.'),
  records: z
    .array(
      z.object({
        family,
        key: recordKey,
        fetched_at: time,
        keep_until: time,
        record: jsonObject.nullable().describe('Null: the provider had no such record.'),
      }),
    )
    .describe('Cached answers.'),
  rows: z
    .array(z.object({ family, id: z.string(), order: z.string().describe('Data request or table run.') }))
    .describe('Rows of bulk orders, whose records are as the provider delivered them.'),
  texts: textCounts,
  accounts: z.array(personView).describe('Accounts of the add-on with the e-mail address.'),
  team_rules: count.describe('Rules for teams with the e-mail address.'),
  erasures: z.array(erasureView).describe('Erasures of these keys.'),
  more: z.boolean().describe('True: there may be more of each.'),
});
export type SubjectReport = z.infer<typeof subjectReport>;

export const erasureList = z.object({ erasures: z.array(erasureView), next: z.string().nullable() });
export type ErasureList = z.infer<typeof erasureList>;

const pseudonym = z.string().regex(/^[\w-]{1,200}$/, 'is not a pseudonym');

const refusedKeyQuery = page.extend({
  after: pseudonym.optional().describe('`next` from the previous page.'),
});

export const refusedKeyList = z.object({
  total: count.describe('Number of all refused keys.'),
  keys: z.array(
    z.object({
      pseudonym: z.string().describe('HMAC of the key, which is not stored.'),
      erasure: z.string().describe('Id of the erasure.'),
      subject: z.string().describe('What was erased. A company can be allowed again.'),
      refused_at: time,
    }),
  ),
  next: z.string().nullable(),
});
export type RefusedKeyList = z.infer<typeof refusedKeyList>;

const erasures = endpointGroup('Erasures', 'Previews, progress and proofs of erasures.');
const subjectReports = endpointGroup('Subject reports', 'Stored data of a person.');
const refusedKeys = endpointGroup('Refused keys', 'Pseudonyms of keys that erasures have blocked.');

const ofErasure = { params: z.object({ id: z.string().min(1).max(MAX_ID_LENGTH) }) };

export const erasureEndpoints = {
  eraseByPath: records('privacy').remove('/records/{family}/{key}', ofRecord, erasureView, keyProblems),
  erase: erasures('privacy').post('/erasures', { body: erasureRequest }, erasureView, keyProblems),
  previewErasure: erasures('privacy').post(
    '/erasure-preview',
    { body: namedRecord },
    erasurePreview,
    keyProblems,
  ),
  reportSubject: subjectReports('privacy').post(
    '/subject-report',
    { body: subjectReportRequest },
    subjectReport,
    keyProblems,
  ),
  listErasures: erasures('privacy').get('/erasures', { query: page }, erasureList),
  getErasure: erasures('privacy').get('/erasures/{id}', ofErasure, erasureView),
  allowErased: erasures('owner').post('/erasures/{id}/allow', ofErasure, erasureView, [
    'invalid_request',
    'not_configured',
  ]),
  listRefusedKeys: refusedKeys('privacy').get('/refused-keys', { query: refusedKeyQuery }, refusedKeyList),
};
