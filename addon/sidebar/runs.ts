// One run at a time: started by a click, stepped until it is done, stopped, taken back.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type {
  Delivery,
  Method,
  MethodResult,
  Overwrite,
  Payload,
  Progress,
  Reply,
} from '../server/api/index.ts';
import { formatCount } from './format.ts';
import type { ScriptError } from './hooks.ts';
import { callScript } from './script.ts';

/** The methods that start a run. */
type StartMethod = 'startSearch' | 'startEnrich' | 'refreshTable' | 'startRecords' | 'writeBulk';

/** What stands between a click and a run. */
export interface Question {
  text: string;
  overwrite: Overwrite | undefined;
  confirm: () => void;
}

/** Something that went well. */
export interface SuccessMessage {
  sentence: string;
  /** The run that it is about, where it can be taken back. */
  undo?: string;
}

/** How the run of this sidebar stands. */
export interface Runs {
  /** The run in front, also after its end, until it is put away. */
  progress: Progress | undefined;
  /** A call for it is on its way. */
  busy: boolean;
  /** Somebody has stopped it: the step that is on its way comes back first. */
  isStopping: boolean;
  error: ScriptError | undefined;
  question: Question | undefined;
  /** Said where no run is in front. */
  success: SuccessMessage | undefined;
  /** No run is under way, no question is open, no call is on its way. A run that is over may still be shown. */
  isFree: boolean;
  /** A run that a person started is writing: what is filled in waits for it. */
  isWriting: boolean;
  /** How often a run has come to its end or to a halt. */
  endCount: number;
  /** Starts a run; asks first where something typed by hand would be replaced. */
  start: <M extends StartMethod>(method: M, payload: Payload<M>, overwrite?: Overwrite) => void;
  /** Orders a bulk request, and asks first in the same way. */
  order: (
    payload: Payload<'startBulk'>,
    overwrite: Overwrite | undefined,
    then: (list: MethodResult<'startBulk'>) => void,
  ) => void;
  /**
   * Writes rows that became ready.
   * @returns why they could not be written; undefined where they are, or wait in front of the person
   */
  writeDelivery: (delivery: Delivery) => Promise<ScriptError | undefined>;
  /** Goes on with a run that paused, was stopped, or was left. */
  resume: (progress: Progress) => void;
  stop: () => void;
  undo: (runId: string) => void;
  /** Takes refusals off the screen that may not hold any more; the run that is shown stays. */
  clearErrors: () => void;
  /** Says something in the foot. */
  showSuccess: (said: SuccessMessage) => void;
  /** Answers the question with no. */
  cancelQuestion: () => void;
  /** Puts away what is shown. */
  close: () => void;
}

function removeTrouble({ failure: _, ...progress }: Progress): Progress {
  return progress;
}

const ARRIVED_SINCE = 'You can’t undo this run any more: other rows have arrived since.';

type StartCall<T> = (confirmed: boolean) => Promise<Reply<T>>;

const pause = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));

const hasEnded = (progress: Progress): boolean => progress.state === 'done' || progress.state === 'stopped';

/** Tells whether a run does nothing any more by itself: it is only shown, and blocks nothing. */
export const isInactive = ({ state, waitMs }: Progress): boolean =>
  state !== 'running' && !(state === 'paused' && waitMs !== undefined);

/** Makes {@link Runs}. */
export function useRuns(): Runs {
  const [progress, setProgress] = useState<Progress>();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ScriptError>();
  const [question, setQuestion] = useState<Question>();
  const [said, say] = useState<SuccessMessage>();
  const [own, setOwn] = useState(false);
  const [stopping, setStopping] = useState(false);
  const [endings, setEndings] = useState(0);
  /** Which loop may step: a loop that finds another number here ends. */
  const turn = useRef(0);
  const stopped = useRef(false);
  const shown = useRef(progress);
  shown.current = progress;
  useEffect(
    () => () => {
      turn.current += 1;
    },
    [],
  );

  /** Steps a run to where it waits or ends. */
  const follow = useCallback(async (begun: Progress): Promise<Progress | undefined> => {
    turn.current += 1;
    const mine = turn.current;
    stopped.current = false;
    let now = begun;
    setProgress(now);
    setBusy(true);
    while (
      !stopped.current &&
      (now.state === 'running' || (now.state === 'paused' && now.waitMs !== undefined))
    ) {
      if (now.waitMs !== undefined) await pause(now.waitMs);
      if (mine !== turn.current) return undefined;
      if (stopped.current) break;
      const reply = await callScript('step', { runId: now.runId });
      if (mine !== turn.current) return undefined;
      if (!reply.ok) {
        // What was written stays, and the run can go on from there.
        now = {
          ...now,
          state: 'paused',
          failure: { message: reply.message, ...(reply.code && { code: reply.code }) },
        };
        delete now.waitMs;
      } else now = reply.value;
      setProgress(now);
    }
    // Only now: a step holds the spreadsheet until it is back.
    if (stopped.current && !hasEnded(now)) {
      const reply = await callScript('stop', { runId: now.runId });
      if (mine !== turn.current) return undefined;
      if (!reply.ok) setRefusal(reply);
      now = reply.ok ? reply.value : { ...now, state: 'stopped' };
      setProgress(now);
    }
    setStopping(false);
    setBusy(false);
    setEndings((times) => times + 1);
    return now;
  }, []);

  const clear = (): void => {
    setQuestion(undefined);
    setRefusal(undefined);
    say(undefined);
    setOwn(true);
  };

  async function begin<T>(
    starting: StartCall<T>,
    then: (value: T) => unknown,
    overwrite?: Overwrite,
    confirmed = false,
  ): Promise<void> {
    clear();
    setProgress(undefined);
    const asking = (sentence: string): void =>
      setQuestion({ text: sentence, overwrite, confirm: () => void begin(starting, then, overwrite, true) });
    if (overwrite !== undefined && !confirmed) {
      asking(overwrite.question);
      return;
    }
    setBusy(true);
    const reply = await starting(confirmed);
    setBusy(false);
    if (reply.ok) await then(reply.value);
    else if (reply.code === 'confirm_first') asking(reply.message);
    else setRefusal(reply);
  }

  const start: Runs['start'] = (method, payload, overwrite) =>
    void begin(
      (confirmed) => startRun(method, confirmed ? { ...payload, confirmed } : payload),
      follow,
      overwrite,
    );

  const order: Runs['order'] = (payload, overwrite, then) =>
    void begin(
      (confirmed) => callScript('startBulk', confirmed ? { ...payload, confirmed } : payload),
      then,
      overwrite,
    );

  const arrive: Runs['writeDelivery'] = useCallback(
    async ({ title, ...delivery }) => {
      const before = shown.current;
      setOwn(false);
      setBusy(true);
      const reply = await callScript('writeDelivery', delivery);
      setBusy(false);
      if (!reply.ok) return reply;
      const last = await follow(reply.value);
      if (last?.state !== 'done') return undefined;
      setProgress(before && { ...before, undo: { possible: false, why: ARRIVED_SINCE } });
      if (last.rows > 0) {
        say({
          sentence: `${formatCount(last.rows, 'row')} arrived in ${title}.`,
          ...(last.undo.possible ? { undo: last.runId } : {}),
        });
      }
      return undefined;
    },
    [follow],
  );

  const goOn = (left: Progress): void => {
    clear();
    const { waitMs: _, ...rest } = removeTrouble(left);
    void follow({ ...rest, state: 'running' });
  };

  const stop = (): void => {
    stopped.current = true;
    setStopping(true);
    // Without it the step that is under way would buy on until its answer is due.
    if (progress !== undefined) void callScript('withdraw', { runId: progress.runId });
  };

  const undo = (runId: string): void => {
    setBusy(true);
    setRefusal(undefined);
    void callScript('undo', { runId }).then((reply) => {
      setBusy(false);
      if (!reply.ok) {
        setRefusal(reply);
        return;
      }
      setProgress(undefined);
      say({
        sentence: `Undone (${formatCount(reply.value.cells, 'cell')} restored). Credits aren’t refunded; your team keeps the data.`,
      });
    });
  };

  const close = (): void => {
    turn.current += 1;
    setProgress(undefined);
    clear();
    setBusy(false);
  };
  const cancel = (): void => setQuestion(undefined);
  const clearRefusals = (): void => {
    setRefusal(undefined);
    setProgress((before) => (before !== undefined && isInactive(before) ? removeTrouble(before) : before));
  };
  return {
    progress,
    busy,
    isStopping: stopping,
    error: refusal,
    question,
    success: said,
    isFree: (progress === undefined || isInactive(progress)) && question === undefined && !busy,
    isWriting: own && progress?.state === 'running',
    endCount: endings,
    start,
    order,
    writeDelivery: arrive,
    resume: goOn,
    stop,
    undo,
    clearErrors: clearRefusals,
    showSuccess: say,
    cancelQuestion: cancel,
    close,
  };
}

/**
 * Does something once a run has come to its end while it is looked at.
 * @param isMeant - the run in front is the one
 */
export function useRunDone({ progress, endCount: times }: Runs, isMeant: boolean, then: () => void): void {
  const done = progress?.state === 'done' && isMeant && times;
  const before = useRef(done);
  useEffect(() => {
    if (done && done !== before.current) then();
    before.current = done;
  });
}

/** The starters differ in what they take, not in what they give. */
function startRun<M extends StartMethod & Method>(method: M, payload: Payload<M>): Promise<Reply<Progress>> {
  return callScript(method, payload);
}
