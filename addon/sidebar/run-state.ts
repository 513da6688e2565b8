// The state of the sidebar's run as a tagged union, and what each event makes of it. Pure.
import type { Fill, Method, Overwrite, Progress, Reply } from '../server/api/index.ts';
import type { MethodResult } from '../server/index.ts';
import { formatCount, t } from '../texts/texts.ts';
import { formatCredits } from './format.ts';
import type { ScriptError } from './script.ts';

export interface Question {
  text: string;
  overwrite: Overwrite | undefined;
  /** @param keepChanges - leaves the changed rows out */
  confirm: (keepChanges?: true) => void;
}

export interface SuccessMessage {
  sentence: string;
  /** Id of the run, if it can be undone. */
  undo?: string;
  /** Default: `Undo`. */
  undoLabel?: string;
  /** The run may have spent credits, which Undo doesn’t refund. */
  isPaid?: boolean;
}

interface Shared {
  ends: number;
  message: SuccessMessage | undefined;
}

type FreeState = Shared & {
  calling: Method | undefined;
} & (
    | { kind: 'idle' }
    /** Done, paused or stopped; shown until it is closed. */
    | { kind: 'done'; progress: Progress }
    | { kind: 'failed'; error: ScriptError; progress: Progress | undefined }
  );

/** A stopping run ends when its current step returns: a step locks the spreadsheet. */
type ActiveState = Shared & {
  kind: 'running' | 'stopping';
  progress: Progress;
  /** Of delivered rows: their table, and the state that is shown again after them. */
  arrived: { title: string; before: FreeState } | undefined;
};

/** What the dock shows, one run at a time. A message may stand beside it. */
export type RunState = FreeState | ActiveState | (Shared & { kind: 'asking'; question: Question });

export type RunEvent =
  | { type: 'asked'; question: Question }
  | { type: 'called'; method: Method }
  /** The call in flight has started no run. */
  | { type: 'answered'; error?: ScriptError }
  /** @param title - of the table with the delivered rows */
  | { type: 'started'; progress: Progress; title?: string }
  | { type: 'stepped'; reply: Reply<Progress> }
  | { type: 'stopRequested' }
  | { type: 'stopped'; reply: Reply<Progress> }
  | { type: 'undone'; result: MethodResult<'undo'>; isPaid: boolean }
  | { type: 'filled'; fill: Fill }
  | { type: 'succeeded'; message: SuccessMessage }
  /** Earlier errors may be outdated. */
  | { type: 'errorsCleared' }
  /** Closes the messages and the report of a run that is done. */
  | { type: 'reportClosed' }
  /** Closes the shown run and its messages. */
  | { type: 'closed' };

export const initialRunState: RunState = { kind: 'idle', calling: undefined, ends: 0, message: undefined };

export const getProgress = (state: RunState): Progress | undefined =>
  'progress' in state ? state.progress : undefined;

/** Checks whether a run is only shown: it neither runs nor resumes automatically. */
export const isInactive = ({ state, waitMs }: Progress): boolean =>
  state !== 'running' && !(state === 'paused' && waitMs !== undefined);

export const isBusy = (state: RunState): boolean =>
  'calling' in state ? state.calling !== undefined : state.kind !== 'asking';

/** Checks whether no run is active, no question open and no call in flight. An ended run may still be shown. */
export const isFree = (state: RunState): boolean => state.kind !== 'asking' && !isBusy(state);

/** Checks whether a run that the person started is writing. The forms are disabled meanwhile. */
export const isWriting = (state: RunState): boolean =>
  'arrived' in state && state.arrived === undefined && state.progress.state === 'running';

/** Checks whether only a report without an error is shown, which may close automatically. */
export const isReport = (state: RunState): boolean =>
  isFree(state) &&
  (state.kind === 'done'
    ? state.progress.state === 'done'
    : state.kind === 'idle' && state.message !== undefined);

function removeFailure({ failure: _, ...progress }: Progress): Progress {
  return progress;
}

/** Returns the progress of a paused, stopped or unfinished run that goes on. */
export function resumeProgress({ waitMs: _, ...progress }: Progress): Progress {
  return { ...removeFailure(progress), state: 'running' };
}

function describeArrival(title: string, { runId, rows, sheet, credits, undo }: Progress): SuccessMessage {
  const place = { title, sheet };
  const arrived =
    rows === 1
      ? t('1 row arrived in “{title}” on sheet “{sheet}”.', place)
      : t('{rows} rows arrived in “{title}” on sheet “{sheet}”.', { rows, ...place });
  const charge = credits > 0 ? ` ${t('{credits} charged.', { credits: formatCredits(credits) })}` : '';
  return {
    sentence: `${arrived}${charge}`,
    ...(undo.possible ? { undo: runId, isPaid: credits > 0 } : {}),
  };
}

function describeFill({ runId, rows, notFound, tables, credits }: Fill): SuccessMessage {
  const [table] = tables;
  const where = tables.length === 1 && table ? table.title : formatCount(tables.length, 'table');
  const price =
    credits === 0
      ? t('for free: you have the data')
      : t('for {credits}', { credits: formatCredits(credits) });
  const of = { rows: formatCount(rows, 'new row'), where, price };
  const filled =
    rows === 1
      ? t('{rows} in {where} was filled {price}.', of)
      : t('{rows} in {where} were filled {price}.', of);
  return {
    sentence:
      notFound === 0
        ? filled
        : t('{rows} in {where}: {filled} filled {price}, {notFound} not found.', {
            ...of,
            filled: rows - notFound,
            notFound,
          }),
    undo: runId,
    isPaid: credits > 0,
  };
}

/** `1 row was changed since and stays: 6.`, `5 rows were changed since and stay: 6, 9, 12 …` */
function describeLeft({ rows, first }: NonNullable<MethodResult<'undo'>['left']>): string {
  const list = `${first.join(', ')}${rows > first.length ? ' …' : '.'}`;
  return rows === 1
    ? t('1 row was changed since and stays: {list}', { list })
    : t('{rows} rows were changed since and stay: {list}', { rows, list });
}

function describeUndo({ cells, sheet, left, before }: MethodResult<'undo'>, isPaid: boolean): SuccessMessage {
  const done = sheet === undefined ? t('Undone') : t('Undone in “{sheet}”', { sheet });
  const count = cells === 0 ? '' : ` (${t('{cells} restored', { cells: formatCount(cells, 'cell') })})`;
  const kept = left === undefined ? '' : ` ${describeLeft(left)}`;
  const note = isPaid ? ` ${t('Credits aren’t refunded; your team keeps the data.')}` : '';
  return {
    sentence: `${done}${count}.${kept}${note}`,
    ...(before === undefined
      ? {}
      : { undo: before.runId, isPaid: before.isPaid, undoLabel: t('Undo the run before') }),
  };
}

/** Shows a run that is not active, if there is one, without an error. */
function show({ ends, message }: Shared, progress: Progress | undefined, calling?: Method): FreeState {
  const shared = { ends, message, calling };
  return progress === undefined ? { ...shared, kind: 'idle' } : { ...shared, kind: 'done', progress };
}

const fail = ({ ends, message }: Shared, error: ScriptError, progress: Progress | undefined): FreeState => ({
  kind: 'failed',
  ends,
  message,
  calling: undefined,
  error,
  progress,
});

function end({ arrived, ...state }: ActiveState, progress: Progress, error?: ScriptError): FreeState {
  const shared = { ends: state.ends + 1, message: state.message };
  if (error !== undefined) return fail(shared, error, progress);
  if (arrived === undefined || progress.state !== 'done') return show(shared, progress);
  const message = progress.rows > 0 ? describeArrival(arrived.title, progress) : state.message;
  return { ...arrived.before, ends: shared.ends, message, calling: undefined };
}

/** Written rows stay after a failed step, and the run can be resumed. */
function pause({ waitMs: _, ...progress }: Progress, { message, code }: ScriptError): Progress {
  return { ...progress, state: 'paused', failure: { message, ...(code && { code }) } };
}

const hasEnded = ({ state }: Progress): boolean => state === 'done' || state === 'stopped';

const isActive = (state: RunState): state is ActiveState =>
  state.kind === 'running' || state.kind === 'stopping';

/** Returns the state after an event. Events that don't apply, such as a step of a closed run, change nothing. */
export function reduceRun(state: RunState, event: RunEvent): RunState {
  const { ends } = state;
  const progress = getProgress(state);
  const calling = 'calling' in state ? state.calling : undefined;
  switch (event.type) {
    case 'asked':
      return { kind: 'asking', question: event.question, ends, message: undefined };
    case 'called': {
      const { method } = event;
      if (method === 'writeDelivery') return 'calling' in state ? { ...state, calling: method } : state;
      // A report stays until its undo has succeeded.
      return method === 'undo'
        ? show(state, progress, method)
        : show({ ends, message: undefined }, undefined, method);
    }
    case 'answered':
      if (event.error !== undefined) return fail(state, event.error, progress);
      return 'calling' in state ? { ...state, calling: undefined } : state;
    case 'started': {
      const { title } = event;
      const arrived = title !== undefined && 'calling' in state ? { title, before: state } : undefined;
      const message = arrived && state.message;
      const active: ActiveState = { kind: 'running', progress: event.progress, arrived, ends, message };
      return isInactive(event.progress) ? end(active, event.progress) : active;
    }
    case 'stepped': {
      if (!isActive(state)) return state;
      const { reply } = event;
      const next = reply.ok ? reply.value : pause(state.progress, reply);
      const isOver = state.kind === 'stopping' ? hasEnded(next) : isInactive(next);
      return isOver ? end(state, next) : { ...state, progress: next };
    }
    case 'stopRequested':
      return isActive(state) ? { ...state, kind: 'stopping' } : state;
    case 'stopped': {
      if (!isActive(state)) return state;
      const { reply } = event;
      return reply.ok ? end(state, reply.value) : end(state, { ...state.progress, state: 'stopped' }, reply);
    }
    case 'undone':
      return show({ ends, message: describeUndo(event.result, event.isPaid) }, undefined);
    case 'filled':
      return { ...state, message: describeFill(event.fill) };
    case 'succeeded':
      return { ...state, message: event.message };
    case 'errorsCleared':
      return 'calling' in state ? show(state, progress && removeFailure(progress), calling) : state;
    case 'reportClosed': {
      if (!('calling' in state)) return { ...state, message: undefined };
      const isDone = progress?.state === 'done';
      return show({ ends, message: undefined }, isDone ? undefined : progress, calling);
    }
    case 'closed':
      return isActive(state) ? state : show({ ends, message: undefined }, undefined, calling);
  }
}
