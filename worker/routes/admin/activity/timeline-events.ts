// Derives the events of a data request from what D1 stores of it.
import type {
  DeadLetterKind,
  TimelineCode,
  TimelineEvent,
} from '../../../../shared/api/admin-data-requests.ts';
import { formatCount } from '../../../../shared/lib/format-count.ts';
import { createProblemSummary } from '../../../../shared/problems.ts';
import type { DeadLetterRow, FileRow, RequestRow } from '../../../db/schema.ts';
import { toIsoTime } from '../../../lib/format.ts';
import type { ListedPush } from '../../../tables/overview/push-list.ts';

/** What D1 stores of a data request. */
export interface TimelineFacts {
  row: RequestRow;
  /** Why it failed, if it did. */
  problem: string | undefined;
  files: readonly FileRow[];
  webhookTimes: readonly number[];
  /** Time of the notification of open sheets about its end. */
  announcedAt: number | undefined;
  /** Whether a schedule ordered it. */
  isScheduled: boolean;
  pushes: readonly ListedPush[];
  /** Of the data request and its pushes, the oldest first. */
  deadLetters: readonly DeadLetterRow[];
}

/** An event, at a time that may not be stored. */
interface Event {
  at: number | null;
  code: TimelineCode;
  text: string;
  subject?: string;
}

/** Events; false for those that have not happened. */
type Events = readonly (Event | false)[];

function listCreation({ row, isScheduled }: TimelineFacts): Events {
  const { createdAt: at, requested, cached, reserved, cachedRows, phase } = row;
  const by = isScheduled ? 'A schedule ordered' : 'Ordered';
  const price =
    phase === 'reserving'
      ? 'Its credits are being reserved.'
      : `${formatCount(reserved, 'credit')} reserved.`;
  const delivered = `${formatCount(cachedRows ?? 0, 'row')} delivered from ${formatCount(cached, 'cached record')}.`;
  return [
    { at, code: 'created', text: `${by} ${formatCount(requested, 'record')}. ${price}` },
    cachedRows !== null && cached > 0 && { at: null, code: 'cached_records_delivered', text: delivered },
  ];
}

function listSending({
  row: { providerId, phase, cancelRequested, charged },
  webhookTimes,
}: TimelineFacts): Events {
  const isLost = phase === 'unclear' && providerId === null;
  const sent =
    providerId !== null
      ? 'The provider accepted the order.'
      : phase === 'sending'
        ? 'The order is being sent to the provider.'
        : isLost
          ? 'The order was sent to the provider, and its answer was lost.'
          : undefined;
  // Nothing is charged if it was stopped before it was sent.
  const isFree = phase === 'cancelled' && charged === 0 && providerId === null;
  const stopped = isFree ? 'Stopped before it was sent.' : 'Stopped: nobody waits for it any more.';
  return [
    sent !== undefined && { at: null, code: 'sent', text: sent },
    cancelRequested && { at: null, code: 'stopped', text: stopped },
    ...webhookTimes.map(
      (at): Event => ({ at, code: 'webhook_received', text: 'A webhook of the provider arrived.' }),
    ),
  ];
}

function listFiles({ files }: TimelineFacts): Event[] {
  return files.map(({ name, rows, withheld }) => {
    if (rows === null) return { at: null, code: 'file_listed', text: `The provider has the file ${name}.` };
    const erased = withheld === 0 ? '' : ` ${formatCount(withheld, 'record')} withheld, because of erasures.`;
    return { at: null, code: 'file_ingested', text: `${name}: ${formatCount(rows, 'row')} stored.${erased}` };
  });
}

function describeCharge({ charged, reserved, disputed }: RequestRow): string {
  if (charged === null) return `${formatCount(reserved, 'credit')} count as spent until you reconcile them.`;
  const charge = charged === 0 ? 'Nothing was charged.' : `${formatCount(charged, 'credit')} charged.`;
  return disputed === 0 ? charge : `${charge} ${formatCount(disputed, 'credit')} beyond are disputed.`;
}

function listEnd({ row, problem, announcedAt }: TimelineFacts): Events {
  const { endedAt, phase, rows } = row;
  const announced = 'Open sheets were told that it has ended.';
  const outcome =
    phase === 'ready'
      ? `Ready: ${formatCount(rows, 'row')}.`
      : phase === 'cancelled'
        ? 'Cancelled.'
        : (problem ?? (phase === 'unclear' ? 'The outcome is unclear.' : 'Failed.'));
  return [
    endedAt !== null && { at: endedAt, code: 'ended', text: `${outcome} ${describeCharge(row)}` },
    announcedAt !== undefined && { at: announcedAt, code: 'end_announced', text: announced },
  ];
}

function listPushes({ pushes }: TimelineFacts): Event[] {
  return pushes.flatMap(({ push, title }): Event[] => {
    const { id: subject, state, rowsWritten, problem, createdAt, updatedAt: at } = push;
    const target = title === null ? 'a deleted table' : `the table “${title}”`;
    const created: Event = {
      at: createdAt,
      code: 'push_created',
      text: `Its rows are to be written to ${target}.`,
      subject,
    };
    if (state === 'waiting') return [created];
    const reason = problem === null ? '' : ` ${createProblemSummary(problem.problem, problem.detail).detail}`;
    const text =
      state === 'done'
        ? `${formatCount(rowsWritten, 'row')} written to ${target}.`
        : `Rows could not be written to ${target}.${reason}`;
    return [created, { at, code: state === 'done' ? 'push_done' : 'push_failed', text, subject }];
  });
}

/** Describes what became of the caller's webhook, if the caller wants one and it is not too long ago to tell. */
function listCallerWebhook({ row, deadLetters }: TimelineFacts): Event[] {
  const { webhookUrl, webhookAttempts, cancelRequested, providerId, endedAt, clearedAt, phase, updatedAt } =
    row;
  const isSent = webhookUrl !== null && !cancelRequested && providerId !== null && phase !== 'unclear';
  if (!isSent || endedAt === null || clearedAt !== null) return [];
  if (webhookAttempts !== null) {
    if (webhookAttempts === 0) return [];
    const text = `The caller’s webhook was refused ${formatCount(webhookAttempts, 'time')}. It is sent again.`;
    return [{ at: null, code: 'caller_not_notified', text }];
  }
  const last = deadLetters.findLast(({ kind }) => kind === 'webhook');
  if (last !== undefined && last.replayedAt === null) return [];
  return [{ at: updatedAt, code: 'caller_notified', text: 'The caller’s webhook accepted the end.' }];
}

const letterSubjects: Readonly<Record<DeadLetterKind, string>> = {
  webhook: 'The caller’s webhook did not accept the end',
  push: 'Rows could not be written',
  alert: 'An alert was not delivered',
};

function listDeadLetters({ deadLetters }: TimelineFacts): Events {
  return deadLetters.flatMap(
    ({ id: subject, at, kind, error, replayedAt, dismissedAt }): Events => [
      { at, code: 'dead_letter', text: `${letterSubjects[kind]}: ${error}`, subject },
      dismissedAt !== null && {
        at: dismissedAt,
        code: 'dead_letter_dismissed',
        text: 'The admin dismissed it.',
        subject,
      },
      replayedAt !== null && {
        at: replayedAt,
        code: 'dead_letter_replayed',
        text: 'The admin replayed it.',
        subject,
      },
    ],
  );
}

function listDeletion({ row: { clearedAt } }: TimelineFacts): Events {
  return [
    clearedAt !== null && {
      at: clearedAt,
      code: 'rows_deleted',
      text: 'Its rows were deleted after 30 days.',
    },
  ];
}

/** Sorts events by time. An event whose time is not stored stays behind the one before it. */
function sortEvents(events: readonly Event[]): Event[] {
  let latest = Number.NEGATIVE_INFINITY;
  const placed = events.map((event) => {
    latest = event.at ?? latest;
    return { event, place: latest };
  });
  return placed.sort((one, other) => one.place - other.place).map(({ event }) => event);
}

/** Builds the events of a data request, the oldest first. */
export function buildTimeline(facts: TimelineFacts): TimelineEvent[] {
  const lists = [
    listCreation,
    listSending,
    listFiles,
    listEnd,
    listCallerWebhook,
    listPushes,
    listDeadLetters,
    listDeletion,
  ];
  const events = lists.flatMap((list): Events => list(facts)).filter((event) => event !== false);
  return sortEvents(events).map(({ at, code, text, subject = null }) => ({
    at: at === null ? null : toIsoTime(at),
    code,
    text,
    subject,
  }));
}
