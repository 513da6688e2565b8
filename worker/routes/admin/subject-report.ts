// /admin/v1/subject-report: lists the stored data of a person.
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import type * as api from '../../../shared/api/admin-erasures.ts';
import type { PersonView } from '../../../shared/api/admin-people.ts';
import { listPeople, type PersonRow } from '../../gateway/auth/identity/people-repository.ts';
import { countAddressRules } from '../../gateway/auth/identity/team-rules.ts';
import { listErasuresOfKeys } from '../../gateway/refusal-list/erasure-repository.ts';
import { Pseudonyms } from '../../gateway/refusal-list/pseudonyms.ts';
import { toIsoTime } from '../../lib/format.ts';
import { findCopies } from '../../privacy/find-copies.ts';
import type { CachedCopy } from '../../privacy/key-finder.ts';
import { noTexts } from '../../tables/erasure.ts';
import { buildAuditInsert } from './audit-log.ts';
import { toErasureView } from './erasures.ts';
import { toPersonView } from './people.ts';
import { createErasureContext, parseKey } from './record-context.ts';
import { type RouteContext, route } from './route.ts';

/** Addresses are encrypted, so that each has to be read. */
const MAX_ACCOUNTS = 10_000;
const PAGE_SIZE = 500;

/** Finds accounts by e-mail address. @returns `more`: not all accounts were read */
async function findAccounts(
  email: string,
  { env, orm }: RouteContext,
): Promise<{ accounts: PersonView[]; more: boolean }> {
  const accounts: PersonView[] = [];
  let last: PersonRow | undefined;
  for (let read = 0; read < MAX_ACCOUNTS; read += PAGE_SIZE) {
    const page = await listPeople(orm, undefined, last, PAGE_SIZE);
    const views = await Promise.all(page.map((row) => toPersonView(env, row)));
    accounts.push(...views.filter((view) => view.email?.toLowerCase() === email.toLowerCase()));
    last = page.at(-1);
    if (page.length < PAGE_SIZE) return { accounts, more: false };
  }
  return { accounts, more: true };
}

const toCachedView = ({ key: { family, kind, value }, envelope }: CachedCopy) => ({
  family,
  key: { kind, value },
  fetched_at: toIsoTime(envelope.fetchedAt),
  keep_until: toIsoTime(envelope.keepUntil),
  record: envelope.content.kind === 'record' ? envelope.content.record.value : null,
});

type FoundCopies = Pick<api.SubjectReport, 'keys' | 'records' | 'rows' | 'texts' | 'erasures' | 'more'>;

async function findRecords(
  family: Parameters<typeof parseKey>[0],
  text: string,
  context: RouteContext,
): Promise<FoundCopies> {
  const { env } = context;
  const key = parseKey(family, text);
  const { keys, cached, rows, texts, more } = await findCopies(key, await createErasureContext(context));
  const pseudonyms = await Pseudonyms.load(env);
  const listed = await Promise.all([
    pseudonyms.forKey(key),
    ...keys.map((found) => pseudonyms.forSubjectKey(found)),
  ]);
  const erasures = await listErasuresOfKeys(env.DB, listed);
  return {
    keys: keys.map(({ kind, value }) => ({ kind, value })),
    records: cached.map(toCachedView),
    rows,
    texts,
    erasures: await Promise.all(erasures.map((erasure) => toErasureView(env, erasure))),
    more,
  };
}

const nothing: FoundCopies = {
  keys: [],
  records: [],
  rows: [],
  texts: noTexts,
  erasures: [],
  more: false,
};

export const reportSubject = route(endpoints.reportSubject, {
  summary: 'List what is stored of a person: a subject access report',
  description:
    'Free. Names the person by a key of a record, by the e-mail address of an account, or by both. The audit log has the number of the report, not the person.',
  returns: 'The report',
  handle: async ({ body: { family, key, email } }, context) => {
    const found =
      family === undefined || key === undefined ? nothing : await findRecords(family, key, context);
    const { accounts, more } =
      email === undefined ? { accounts: [], more: false } : await findAccounts(email, context);
    const id = crypto.randomUUID();
    await buildAuditInsert(context, 'subject.report', id);
    return {
      id,
      created_at: toIsoTime(context.now),
      ...found,
      accounts,
      team_rules: email === undefined ? 0 : await countAddressRules(context.env, context.orm, email),
      more: found.more || more,
    };
  },
});
