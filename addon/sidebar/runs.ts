// The sidebar's current run: start, step, stop, resume, undo. One at a time.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { formatCount, formatNumber } from '../../shared/lib/format-count.ts';
import type { Delivery, Fill, Overwrite, Payload, Progress, Reply } from '../server/api/index.ts';
import type { MethodResult } from '../server/index.ts';
import { useAutoClose } from './auto-close.ts';
import { formatCredits } from './format.ts';
import type { ScriptError } from './hooks.ts';
import { callScript } from './script.ts';

/** Methods that start a run. */
export type StartMethod =
  | 'startSearch'
  | 'startEnrich'
  | 'startChoices'
  | 'refreshTable'
  | 'startRecords'
  | 'writeBulk';

/** A question to confirm before a run starts. */
export interface Question {
  text: string;
  overwrite: Overwrite | undefined;
  /** @param keepChanges - leaves the changed rows out */
  confirm: (keepChanges?: true) => void;
}

/** What the person answered to a question. */
interface Answer {
  confirmed: true;
  changes?: string;
  keepChanges?: true;
}

/** A success message. */
export interface SuccessMessage {
  sentence: string;
  /** Id of the run, if it can be undone. */
  undo?: string;
  /** Default: `Undo`. */
  undoLabel?: string;
  /** The run may have spent credits, which Undo doesn’t refund. */
  isPaid?: boolean;
}

/** The state of the current run and its actions. */
export interface Runs {
  /** The current run; shown after its end until it is closed. */
  progress: Progress | undefined;
  /** Whether a call is in flight. */
  busy: boolean;
  /** Whether the run will stop when the current step returns. */
  isStopping: boolean;
  error: ScriptError | undefined;
  question: Question | undefined;
  success: SuccessMessage | undefined;
  /** Whether no run is active, no question open and no call in flight. An ended run may still be shown. */
  isFree: boolean;
  /** Whether a run that the user started is writing. The forms are disabled meanwhile. */
  isWriting: boolean;
  /** Number of runs that ended or paused. */
  endCount: number;
  /** Starts a run. Asks first if it would overwrite manual changes. */
  start: <M extends StartMethod>(method: M, payload: Payload<M>, overwrite?: Overwrite) => void;
  /** Places a bulk order, with the same question. */
  order: (
    payload: Payload<'startBulk'>,
    overwrite: Overwrite | undefined,
    onOrdered: (list: MethodResult<'startBulk'>) => void,
  ) => void;
  /**
   * Writes the rows of a delivery.
   * @returns the error; undefined when the rows are written or the run is shown to the user
   */
  writeDelivery: (delivery: Delivery) => Promise<ScriptError | undefined>;
  /** Announces rows that a table filled automatically. */
  showFill: (fill: Fill) => void;
  /** Resumes a paused, stopped or unfinished run. */
  resume: (progress: Progress) => void;
  stop: () => void;
  /** Undoes a run. `isPaid` tells whether it may have spent credits. */
  undo: (runId: string, isPaid?: boolean) => void;
  /** Clears errors that may be outdated; the run stays. */
  clearErrors: () => void;
  showSuccess: (message: SuccessMessage) => void;
  /** Closes the messages and the report of a run that is done. */
  closeReport: () => void;
  cancelQuestion: () => void;
  /** Closes the shown run and its messages. */
  close: () => void;
}

function removeFailure({ failure: _, ...progress }: Progress): Progress {
  return progress;
}

type StartCall<T> = (answer: Answer | undefined) => Promise<Reply<T>>;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const hasEnded = (progress: Progress): boolean => progress.state === 'done' || progress.state === 'stopped';

/** Checks whether a run is only shown: it neither runs nor resumes automatically. */
export const isInactive = ({ state, waitMs }: Progress): boolean =>
  state !== 'running' && !(state === 'paused' && waitMs !== undefined);

/** Creates {@link Runs}. */
export function useRuns(): Runs {
  const [progress, setProgress] = useState<Progress>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ScriptError>();
  const [question, setQuestion] = useState<Question>();
  const [success, setSuccess] = useState<SuccessMessage>();
  const [isUserRun, setIsUserRun] = useState(false);
  const [isStopping, setIsStopping] = useState(false);
  const [endCount, setEndCount] = useState(0);
  /** Number of the active loop: other loops end. */
  const activeLoop = useRef(0);
  const stopRequested = useRef(false);
  const latest = useRef(progress);
  latest.current = progress;
  useEffect(
    () => () => {
      activeLoop.current += 1;
    },
    [],
  );

  /** Steps a run until it ends or pauses. */
  const follow = useCallback(async (started: Progress): Promise<Progress | undefined> => {
    activeLoop.current += 1;
    const loop = activeLoop.current;
    stopRequested.current = false;
    let now = started;
    setProgress(now);
    setBusy(true);
    while (
      !stopRequested.current &&
      (now.state === 'running' || (now.state === 'paused' && now.waitMs !== undefined))
    ) {
      if (now.waitMs !== undefined) await sleep(now.waitMs);
      if (loop !== activeLoop.current) return undefined;
      if (stopRequested.current) break;
      const reply = await callScript('step', { runId: now.runId });
      if (loop !== activeLoop.current) return undefined;
      if (!reply.ok) {
        // The written rows stay; the run can be resumed.
        now = {
          ...now,
          state: 'paused',
          failure: { message: reply.message, ...(reply.code && { code: reply.code }) },
        };
        delete now.waitMs;
      } else now = reply.value;
      setProgress(now);
    }
    // A step locks the spreadsheet until it returns.
    if (stopRequested.current && !hasEnded(now)) {
      const reply = await callScript('stop', { runId: now.runId });
      if (loop !== activeLoop.current) return undefined;
      if (!reply.ok) setError(reply);
      now = reply.ok ? reply.value : { ...now, state: 'stopped' };
      setProgress(now);
    }
    setIsStopping(false);
    setBusy(false);
    setEndCount((count) => count + 1);
    return now;
  }, []);

  const clear = (): void => {
    setQuestion(undefined);
    setError(undefined);
    setSuccess(undefined);
    setIsUserRun(true);
  };

  async function confirmAndStart<T>(
    startCall: StartCall<T>,
    onStarted: (value: T) => unknown,
    overwrite?: Overwrite,
    answer?: Answer,
  ): Promise<void> {
    clear();
    setProgress(undefined);
    const ask = (changed: Overwrite | undefined, text: string): void =>
      setQuestion({
        text,
        overwrite: changed,
        confirm: (keepChanges) =>
          void confirmAndStart(startCall, onStarted, changed, {
            confirmed: true,
            ...(changed && { changes: changed.digest }),
            ...(keepChanges && { keepChanges }),
          }),
      });
    if (overwrite !== undefined && answer === undefined) {
      ask(overwrite, overwrite.question);
      return;
    }
    setBusy(true);
    const reply = await startCall(answer);
    setBusy(false);
    if (reply.ok) await onStarted(reply.value);
    else if (reply.code === 'confirm_first') ask(reply.replaced, reply.message);
    else setError(reply);
  }

  const start: Runs['start'] = (method, payload, overwrite) =>
    void confirmAndStart((answer) => startRun(method, { ...payload, ...answer }), follow, overwrite);

  const order: Runs['order'] = (payload, overwrite, onOrdered) =>
    void confirmAndStart(
      (answer) => callScript('startBulk', { ...payload, ...answer }),
      onOrdered,
      overwrite,
    );

  const writeDelivery: Runs['writeDelivery'] = useCallback(
    async ({ title, ...delivery }) => {
      const shownRun = latest.current;
      setIsUserRun(false);
      setBusy(true);
      const reply = await callScript('writeDelivery', delivery);
      setBusy(false);
      if (!reply.ok) return reply;
      const last = await follow(reply.value);
      if (last?.state !== 'done') return undefined;
      setProgress(shownRun);
      if (last.rows > 0) {
        setSuccess({
          sentence: `${formatCount(last.rows, 'row')} arrived in “${title}” on sheet “${last.sheet}”.${last.credits > 0 ? ` ${formatCredits(last.credits)} charged.` : ''}`,
          ...(last.undo.possible ? { undo: last.runId, isPaid: true } : {}),
        });
      }
      return undefined;
    },
    [follow],
  );

  const showFill = useCallback(({ runId, rows, notFound, tables, credits }: Fill): void => {
    const [table] = tables;
    const where = tables.length === 1 ? table?.title : formatCount(tables.length, 'table');
    const price = credits === 0 ? ' for free: you have the data' : ` for ${formatCredits(credits)}`;
    const outcome =
      notFound === 0
        ? ` ${rows === 1 ? 'was' : 'were'} filled${price}`
        : `: ${formatNumber(rows - notFound)} filled${price}, ${formatNumber(notFound)} not found`;
    setSuccess({
      sentence: `${formatCount(rows, 'new row')} in ${where}${outcome}.`,
      undo: runId,
      isPaid: true,
    });
  }, []);

  const resume = (unfinished: Progress): void => {
    clear();
    const { waitMs: _, ...run } = removeFailure(unfinished);
    void follow({ ...run, state: 'running' });
  };

  const stop = (): void => {
    stopRequested.current = true;
    setIsStopping(true);
    // Otherwise the current step would keep buying until it returns.
    if (progress !== undefined) void callScript('cancelStep', { runId: progress.runId });
  };

  const undo: Runs['undo'] = (runId, isPaid = false) => {
    setBusy(true);
    setError(undefined);
    void callScript('undo', { runId }).then((reply) => {
      setBusy(false);
      if (!reply.ok) {
        setError(reply);
        return;
      }
      setProgress(undefined);
      const { cells, sheet, before } = reply.value;
      setSuccess({
        sentence: `Undone${sheet === undefined ? '' : ` in “${sheet}”`}${cells === 0 ? '' : ` (${formatCount(cells, 'cell')} restored)`}.${isPaid ? ' Credits aren’t refunded; your team keeps the data.' : ''}`,
        ...(before === undefined ? {} : { undo: before, isPaid: true, undoLabel: 'Undo the run before' }),
      });
    });
  };

  const close = (): void => {
    activeLoop.current += 1;
    setProgress(undefined);
    clear();
    setBusy(false);
  };
  const isDone = progress === undefined ? success !== undefined : progress.state === 'done';
  useAutoClose(isDone && error === undefined && !busy, close);
  const clearErrors = (): void => {
    setError(undefined);
    setProgress((run) => (run !== undefined && isInactive(run) ? removeFailure(run) : run));
  };
  return {
    progress,
    busy,
    isStopping,
    error,
    question,
    success,
    isFree: (progress === undefined || isInactive(progress)) && question === undefined && !busy,
    isWriting: isUserRun && progress?.state === 'running',
    endCount,
    start,
    order,
    writeDelivery,
    showFill,
    resume,
    stop,
    undo,
    clearErrors,
    showSuccess: setSuccess,
    closeReport: () => {
      setError(undefined);
      setSuccess(undefined);
      if (progress?.state === 'done') setProgress(undefined);
    },
    cancelQuestion: () => setQuestion(undefined),
    close,
  };
}

/** Returns a key that changes when a run ended or its result was changed, as by Undo. */
export const getChangeKey = ({ endCount, success }: Pick<Runs, 'endCount' | 'success'>): string =>
  `${endCount} ${success?.sentence}`;

/**
 * Calls a function once when the current run is done.
 * @param isMatch - whether the current run is the awaited one
 */
export function useRunDone({ progress, endCount }: Runs, isMatch: boolean, onDone: () => void): void {
  const done = progress?.state === 'done' && isMatch && endCount;
  const previous = useRef(done);
  useEffect(() => {
    if (done && done !== previous.current) onDone();
    previous.current = done;
  });
}

/** All start methods return progress. */
function startRun<M extends StartMethod>(method: M, payload: Payload<M>): Promise<Reply<Progress>> {
  return callScript(method, payload);
}
