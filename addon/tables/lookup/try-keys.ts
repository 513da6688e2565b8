// Tries the keys of rows in their order, and stores the compared names.
import type { Connection } from '../../../shared/connection.ts';
import type { ProblemCode } from '../../../shared/problems.ts';
import { isSpendingOn } from '../../client/spending.ts';
import { AddonError } from '../../lib/addon-error.ts';
import type { BodyCells, TableLocation } from '../locate.ts';
import type { TableRecord } from '../registry.ts';
import {
  buildLimits,
  buildMaxAge,
  type LookupState,
  type RunRecord,
  STEP_WAIT_MS,
} from '../runs/run-store.ts';
import { type RowKey, readRowKeys, settleComparisons } from './keys.ts';
import {
  addComparisons,
  type ComparedName,
  foldName,
  readKnownNames,
  type UncertainName,
} from './name-choices.ts';
import { toUnmatchedRow } from './names.ts';
import { type AnsweredBody, type AnsweredRow, sendCounts, sendLookups } from './requests.ts';
import { buildLookups, type TableLookupRow } from './rows.ts';

export interface Step {
  run: RunRecord;
  table: TableRecord;
  state: LookupState;
  location: TableLocation;
  body: BodyCells;
  connection: Connection;
}

const getAnswerName = ({ by, text }: { by: string; text: string }): string => `${by} ${text}`;

/** Counts the credits that were spent on pages for the comparison of names, rather than on records. */
const countComparison = ({ credits, rows }: AnsweredBody): number =>
  rows.some(({ by }) => by === 'name') ? credits.spent - rows.reduce((sum, row) => sum + row.credits, 0) : 0;

function fetchAnswers(
  run: RunRecord,
  table: TableRecord,
  state: LookupState,
  keys: readonly RowKey[],
  connection: Connection,
) {
  const requests = buildLookups(table, keys, state.fields, buildMaxAge(run, state.maxAgeS).max_age_s);
  const answers = new Map<string, AnsweredRow>();
  if (requests.length === 0) return answers;
  const spends = isSpendingOn();
  const limits = { ...buildLimits(run), ...(spends ? {} : { max_credits: 0 }) };
  const overMaximum: ProblemCode = spends ? 'max_credits_reached' : 'spending_off';
  const limitedRequests = requests.map((request) => ({ ...request, ...limits, wait_ms: STEP_WAIT_MS }));
  const sent =
    table.kind === 'count'
      ? limitedRequests.map((request) => sendCounts(connection, table, request))
      : sendLookups(connection, limitedRequests);
  for (const answer of sent) {
    if (!answer.ok) throw new AddonError(answer.code, answer.message);
    run.credits += answer.body.credits.spent;
    run.saved += answer.body.credits.saved;
    run.comparison = (run.comparison ?? 0) + countComparison(answer.body);
    for (const row of answer.body.rows) {
      if (row.problem === 'max_credits_reached') row.problem = overMaximum;
      answers.set(getAnswerName({ by: row.by, text: row.key }), row);
    }
  }
  return answers;
}

/** A row whose keys are tried one after the other. */
export interface Attempt {
  row: number;
  /** Keys that are left to try. */
  keys: RowKey[];
  /** The answer for the last key, and that key. */
  answer?: TableLookupRow;
  key?: RowKey;
  /** The first cell that is no key. */
  invalid?: Extract<RowKey, { kind: 'invalid' }> | undefined;
}

const REJECTED: TableLookupRow = {
  key: '',
  status: 'not_found',
  problem: 'not_found',
  credits: 0,
  sentence: 'You decided that none of the candidates is this company.',
};

/** Finds the answer for a key: of the gateway, or of a decision or comparison. */
function findAnswer(key: RowKey, answers: ReadonlyMap<string, AnsweredRow>): TableLookupRow | undefined {
  if (key.kind === 'rejected') return REJECTED;
  if (key.kind === 'compared') return toUnmatchedRow(key.text, key.comparison.candidates);
  return key.kind === 'key' ? answers.get(getAnswerName(key)) : undefined;
}

/** Further keys are tried in the next step after this time. What earlier ones found by then is cached. */
const MAX_ATTEMPTS_MS = 8_000;

/**
 * Tries the keys of rows in their order. A later key is tried only if the earlier ones are empty or invalid, or have no record.
 * @returns the rows that are finished, and whether anything was requested
 */
export function tryKeys(
  { run, table, state, body, connection }: Step,
  rows: readonly number[],
): { finished: Attempt[]; hasAnswers: boolean } {
  const startedAt = Date.now();
  const finished: Attempt[] = [];
  let hasAnswers = false;
  const known = readKnownNames(table.family, Date.parse(run.startedAt), state.maxAgeS);
  const allKeys = settleComparisons(rows.map((row) => readRowKeys(table, body.values[row] ?? [], known)));
  let open = rows.map((row, at): Attempt => {
    const keys = allKeys[at] ?? [];
    const invalid = keys.find((key) => key.kind === 'invalid');
    return {
      row,
      keys: keys.filter(({ kind }) => kind !== 'blank' && kind !== 'invalid'),
      invalid,
    };
  });
  for (let round = 0; open.length > 0; round += 1) {
    if (round > 0 && Date.now() - startedAt > MAX_ATTEMPTS_MS) break;
    for (const attempt of open) {
      const key = attempt.keys.shift();
      if (key !== undefined) attempt.key = key;
    }
    const answers = fetchAnswers(
      run,
      table,
      state,
      open.flatMap(({ key }) => key ?? []),
      connection,
    );
    hasAnswers ||= answers.size > 0;
    const next: Attempt[] = [];
    for (const attempt of open) {
      const { key } = attempt;
      const answer = key && findAnswer(key, answers);
      if (answer !== undefined) attempt.answer = answer;
      if (answer?.status === 'pending') continue;
      if (answer?.problem === 'not_found' && attempt.keys.length > 0) next.push(attempt);
      else finished.push(attempt);
    }
    open = next;
  }
  return { finished, hasAnswers };
}

/** Remembers the names that were compared: uncertain ones with their candidates, each in its first spelling. */
export function saveComparedNames({ id, family }: TableRecord, attempts: readonly Attempt[]): void {
  const uncertain = new Map<string, UncertainName>();
  const compared = new Map<string, ComparedName>();
  const now = Date.now();
  for (const { key, answer } of attempts) {
    if (key?.kind !== 'compared' && !(key?.kind === 'key' && key.by === 'name')) continue;
    const name = foldName(key.text);
    if (answer?.candidates !== undefined) {
      const at = key.kind === 'compared' ? key.comparison.at : now;
      const { candidates } = answer;
      if (!uncertain.has(name)) uncertain.set(name, { family, key: key.text, tableId: id, candidates, at });
    } else if (key.kind === 'key' && answer?.companyId !== undefined) {
      compared.set(name, { family, key: name, at: now, companyId: answer.companyId });
    } else if (key.kind === 'key' && answer?.problem === 'not_found') {
      compared.set(name, { family, key: name, at: now });
    }
  }
  addComparisons([...uncertain.values()], [...compared.values()]);
}
