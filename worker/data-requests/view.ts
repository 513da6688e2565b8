// A data request as its team sees it.

import type { DataRequestState, DataRequestView } from '../../shared/api/data-requests.ts';
import { createProblemSummary } from '../../shared/problems.ts';
import type { FileRow, Phase, RequestRow } from '../db/schema.ts';
import type { RawResponse } from '../gateway/upstream/upstream.ts';
import { toIsoTime } from '../lib/format.ts';
import { ROW_RETENTION_MS } from './state-machine.ts';

/** How each phase is told. */
const states: Readonly<Record<Phase, DataRequestState>> = {
  reserving: 'reserved',
  reserved: 'reserved',
  sending: 'submitted',
  submitted: 'submitted',
  running: 'running',
  ingesting: 'ingesting',
  ready: 'ready',
  failed: 'failed',
  cancelled: 'cancelled',
  unclear: 'unclear',
};

function toState({ phase, watched, endedAt }: RequestRow): DataRequestState {
  return !watched && endedAt === null ? 'cancelled' : states[phase];
}

/** @param wordsOf - what the provider said, as a sentence */
function toProblem(
  { failure, phase }: RequestRow,
  wordsOf: (answer: RawResponse) => string | undefined,
): Pick<DataRequestView, 'problem'> {
  if (failure === null) return {};
  const words = failure.detail ?? (failure.answer && wordsOf(failure.answer));
  const unclear =
    phase === 'unclear'
      ? 'The request was sent, but nobody heard whether the provider took it, so it may have been charged. It is not sent again.'
      : undefined;
  return { problem: createProblemSummary(failure.problem, words ?? unclear) };
}

/**
 * Shows a request.
 * @param files - of this request or of several
 * @param wordsOf - what an answer of the provider says, as a sentence
 */
export function toRequestView(
  row: RequestRow,
  files: readonly FileRow[],
  wordsOf: (answer: RawResponse) => string | undefined,
): DataRequestView {
  return {
    id: row.id,
    state: toState(row),
    family: row.family,
    kind: row.kind,
    watched: row.watched,
    asked: row.asked,
    cached: row.cached,
    rows: row.rows,
    credits: { reserved: row.endedAt === null ? row.reserved : 0, charged: row.charged },
    files: files
      .filter(({ requestId }) => requestId === row.id)
      .map(({ name, rows, bytes }) => ({ name, rows, bytes })),
    columns: row.columns,
    created_at: toIsoTime(row.createdAt),
    updated_at: toIsoTime(row.updatedAt),
    ended_at: row.endedAt === null ? null : toIsoTime(row.endedAt),
    rows_until: toIsoTime(row.createdAt + ROW_RETENTION_MS),
    ...toProblem(row, wordsOf),
  };
}
