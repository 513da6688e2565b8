// Builds the API view of a data request.
import type { DataRequestState, DataRequestView } from '../../shared/api/data-requests.ts';
import { createProblemSummary } from '../../shared/problems.ts';
import type { FileRow, RequestRow } from '../db/schema.ts';
import type { RawResponse } from '../gateway/upstream/upstream.ts';
import { toIsoTime } from '../lib/format.ts';
import { calculateSaved } from './order/order.ts';
import { ROW_RETENTION_MS } from './state-machine.ts';

function toState({ phase, cancelRequested, endedAt }: RequestRow): DataRequestState {
  if (cancelRequested && endedAt === null) return 'cancelled';
  if (phase === 'reserving') return 'reserved';
  return phase === 'sending' ? 'submitted' : phase;
}

function toProblem(
  { failure, phase }: RequestRow,
  describeAnswer: (answer: RawResponse) => string | undefined,
): Pick<DataRequestView, 'problem'> {
  if (failure === null) return {};
  const detail = failure.detail ?? (failure.answer && describeAnswer(failure.answer));
  const unclear =
    phase === 'unclear'
      ? 'The order was sent, but the provider’s answer was lost. It may have been charged, so it isn’t sent again.'
      : undefined;
  return { problem: createProblemSummary(failure.problem, detail ?? unclear) };
}

/**
 * Builds the view of a data request.
 * @param files - of this data request or of several
 * @param describeAnswer - returns the provider's message as a sentence
 */
export function toRequestView(
  row: RequestRow,
  files: readonly FileRow[],
  describeAnswer: (answer: RawResponse) => string | undefined,
): DataRequestView {
  return {
    id: row.id,
    state: toState(row),
    family: row.family,
    kind: row.kind,
    cancel_requested: row.cancelRequested,
    requested: row.requested,
    cached: row.cached,
    rows: row.rows,
    credits: {
      reserved: row.endedAt === null ? row.reserved : 0,
      charged: row.charged,
      saved: row.endedAt === null ? 0 : calculateSaved(row),
    },
    files: files
      .filter(({ requestId }) => requestId === row.id)
      .map(({ name, rows, bytes }) => ({ name, rows, bytes })),
    columns: row.columns,
    created_at: toIsoTime(row.createdAt),
    updated_at: toIsoTime(row.updatedAt),
    ended_at: row.endedAt === null ? null : toIsoTime(row.endedAt),
    rows_until: toIsoTime(row.createdAt + ROW_RETENTION_MS),
    ...toProblem(row, describeAnswer),
  };
}
