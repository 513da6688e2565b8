// The job of a search for a person: counts all stored entries, reads them part by part, and keeps the people who fit.
import type { DataRecord } from '../../../shared/api/common.ts';
import type { Family } from '../../../shared/families/index.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { RowIndex, scanRows } from '../../data-requests/ingest/index.ts';
import { getRowStore } from '../../data-requests/state-machine.ts';
import type { Env } from '../../env.ts';
import { parseFamily } from '../../gateway/cache/cache-keys.ts';
import type { Envelope } from '../../gateway/cache/envelope.ts';
import { listAnswers, readAnswers } from '../../gateway/cache/scan-answers.ts';
import type { JobContext } from '../../gateway/context.ts';
import { createProviderResolver } from '../../gateway/upstream/provider-resolver.ts';
import { runJob } from '../../queue/jobs.ts';
import { readCriteria } from './criteria.ts';
import { FoundPeople, listNameKeys } from './found-people.ts';
import {
  deleteExpiredSearches,
  findSearch,
  getExpiry,
  type PersonSearch,
  type SearchState,
  saveProgress,
} from './search-store.ts';

/** Parts of one run: each takes at most 20 calls of bindings, and an invocation may make a thousand. */
const MAX_PARTS = 40;
/** A run ends after this time: parsing takes processor time, which is limited. */
const MAX_RUN_MS = 10_000;
/** Pages of rows in one part, each up to 4 MB. */
const PAGES_PER_PART = 5;

interface Sources {
  env: Env;
  identity: string;
  now: () => number;
}

type Cursor = NonNullable<SearchState['cursor']>;

/** Number of entries of a part, and cursor of the next part; null at the end. */
interface Part {
  read: number;
  cursor: Cursor | null;
}

const isRecord = (item: unknown): item is DataRecord => isObject(item);

function addAnswer(people: FoundPeople, name: string, { content }: Envelope): void {
  const family = parseFamily(name);
  if (family === undefined) return;
  if (content.kind === 'record')
    people.addRecord(family, content.record.value, 'cached', listNameKeys(name, family));
  if (content.kind === 'page')
    for (const item of content.items.value) if (isRecord(item)) people.addRecord(family, item, 'pages');
}

async function readAnswersPart({ env, identity, now }: Sources, after: string, people: FoundPeople) {
  const listed = await listAnswers(env.RECORDS, identity, after);
  await readAnswers(env.RECORDS, listed, now(), (name, envelope) => addAnswer(people, name, envelope));
  const cursor: Cursor =
    listed.after === null ? { phase: 'rows', after: '' } : { phase: 'answers', after: listed.after };
  return { read: listed.names.size, cursor };
}

async function readRowsPart({ env }: Sources, after: string, people: FoundPeople): Promise<Part> {
  const store = getRowStore(env);
  const add = (family: Family, record: DataRecord) => people.addRecord(family, record, 'rows');
  let read = 0;
  let cursor = after;
  for (let left = PAGES_PER_PART; left > 0; left -= 1) {
    const page = await scanRows(store, cursor, add);
    read += page.rows;
    if (page.after === null) return { read, cursor: null };
    cursor = page.after;
  }
  return { read, cursor: { phase: 'rows', after: cursor } };
}

/** Reads the next part of all stored entries. @throws if a store can't be reached; a repeated call reads the part again */
async function runPart(search: PersonSearch, cursor: Cursor, sources: Sources): Promise<PersonSearch> {
  const { env, identity, now } = sources;
  const { state } = search;
  if (cursor.phase === 'count') {
    const { names, after } = await listAnswers(env.RECORDS, identity, cursor.after);
    const counted = state.counted + names.size;
    if (after !== null) return { ...search, state: { ...state, counted, cursor: { ...cursor, after } } };
    const total = counted + (await new RowIndex(env.DB).countAll());
    return { ...search, total, state: { ...state, counted, cursor: { phase: 'answers', after: '' } } };
  }
  const people = new FoundPeople(readCriteria(state.terms), state.people, state.more);
  const readPart = cursor.phase === 'answers' ? readAnswersPart : readRowsPart;
  const part = await readPart(sources, cursor.after, people);
  const searched = search.searched + part.read;
  return {
    ...search,
    searched,
    // Entries have expired, or were added, since they were counted.
    total: part.cursor === null ? searched : Math.max(searched, search.total ?? 0),
    endedAt: part.cursor === null ? now() : null,
    state: { ...state, cursor: part.cursor, people: [...people.list], more: people.more },
  };
}

/** Runs the next parts of a search, and deletes it when it has expired. @param id - of the search */
export function runPersonSearch<E extends Env>(context: JobContext<E>, id: string): Promise<void> {
  return runJob(context, { kind: 'person_search', id }, async () => {
    const { env, platform } = context;
    const { now } = platform;
    await deleteExpiredSearches(env.DB, now());
    let search = await findSearch(env, id, now());
    if (search === undefined) return 'done';
    const { identity } = await createProviderResolver(platform)(env);
    const end = now() + MAX_RUN_MS;
    for (let left = MAX_PARTS; left > 0 && now() < end; left -= 1) {
      const { cursor } = search.state;
      if (search.endedAt !== null || cursor === null) return { at: getExpiry(search) };
      search = await runPart(search, cursor, { env, identity, now });
      if (!(await saveProgress(env, search))) return { at: getExpiry(search) };
    }
    return { at: now() };
  });
}
