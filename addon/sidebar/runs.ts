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
import { counted } from './format.ts';
import type { Refusal } from './hooks.ts';
import { ask } from './script.ts';

/** The methods that start a run. */
type Starter = 'startSearch' | 'startEnrich' | 'refreshTable' | 'fullRecords' | 'writeBulk';

/** What stands between a click and a run. */
export interface Question {
  sentence: string;
  overwrite: Overwrite | undefined;
  yes: () => void;
}

/** Something that went well. */
export interface Said {
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
  stopping: boolean;
  refusal: Refusal | undefined;
  question: Question | undefined;
  /** Said where no run is in front. */
  said: Said | undefined;
  /** No run is under way, no question is open, no call is on its way. A run that is over may still be shown. */
  free: boolean;
  /** A run that a person started is writing: what is filled in waits for it. */
  writing: boolean;
  /** How often a run has come to its end or to a halt. */
  ended: number;
  /** Starts a run; asks first where something typed by hand would be replaced. */
  start: <M extends Starter>(method: M, payload: Payload<M>, overwrite?: Overwrite) => void;
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
  arrive: (arrival: Delivery) => Promise<Refusal | undefined>;
  /** Goes on with a run that paused, was stopped, or was left. */
  goOn: (progress: Progress) => void;
  stop: () => void;
  undo: (runId: string) => void;
  /** Takes refusals off the screen that may not hold any more; the run that is shown stays. */
  clearRefusals: () => void;
  /** Says something in the foot. */
  say: (said: Said) => void;
  /** Answers the question with no. */
  cancel: () => void;
  /** Puts away what is shown. */
  close: () => void;
}

function withoutTrouble({ failure: _, ...progress }: Progress): Progress {
  return progress;
}

const ARRIVED_SINCE = 'You can’t undo this run any more: other rows have arrived since.';

type Starting<T> = (confirmed: boolean) => Promise<Reply<T>>;

const pause = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));

const ended = (progress: Progress): boolean => progress.state === 'done' || progress.state === 'stopped';

/** Tells whether a run does nothing any more by itself: it is only shown, and blocks nothing. */
export const isOver = ({ state, waitMs }: Progress): boolean =>
  state !== 'running' && !(state === 'paused' && waitMs !== undefined);

/** Makes {@link Runs}. */
export function useRuns(): Runs {
  const [progress, setProgress] = useState<Progress>();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [question, setQuestion] = useState<Question>();
  const [said, say] = useState<Said>();
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
      const reply = await ask('step', { runId: now.runId });
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
    if (stopped.current && !ended(now)) {
      const reply = await ask('stop', { runId: now.runId });
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
    starting: Starting<T>,
    then: (value: T) => unknown,
    overwrite?: Overwrite,
    confirmed = false,
  ): Promise<void> {
    clear();
    setProgress(undefined);
    const asking = (sentence: string): void =>
      setQuestion({ sentence, overwrite, yes: () => void begin(starting, then, overwrite, true) });
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
      (confirmed) => ask('startBulk', confirmed ? { ...payload, confirmed } : payload),
      then,
      overwrite,
    );

  const arrive: Runs['arrive'] = useCallback(
    async ({ title, ...arrival }) => {
      const before = shown.current;
      setOwn(false);
      setBusy(true);
      const reply = await ask('writeArrival', arrival);
      setBusy(false);
      if (!reply.ok) return reply;
      const last = await follow(reply.value);
      if (last?.state !== 'done') return undefined;
      setProgress(before && { ...before, undo: { possible: false, why: ARRIVED_SINCE } });
      if (last.rows > 0) {
        say({
          sentence: `${counted(last.rows, 'row')} arrived in ${title}.`,
          ...(last.undo.possible ? { undo: last.runId } : {}),
        });
      }
      return undefined;
    },
    [follow],
  );

  const goOn = (left: Progress): void => {
    clear();
    const { waitMs: _, ...rest } = withoutTrouble(left);
    void follow({ ...rest, state: 'running' });
  };

  const stop = (): void => {
    stopped.current = true;
    setStopping(true);
    // Without it the step that is under way would buy on until its answer is due.
    if (progress !== undefined) void ask('withdraw', { runId: progress.runId });
  };

  const undo = (runId: string): void => {
    setBusy(true);
    setRefusal(undefined);
    void ask('undo', { runId }).then((reply) => {
      setBusy(false);
      if (!reply.ok) {
        setRefusal(reply);
        return;
      }
      setProgress(undefined);
      say({
        sentence: `Undone (${counted(reply.value.cells, 'cell')} restored). Credits aren’t refunded; your team keeps the data.`,
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
    setProgress((before) => (before !== undefined && isOver(before) ? withoutTrouble(before) : before));
  };
  return {
    progress,
    busy,
    stopping,
    refusal,
    question,
    said,
    free: (progress === undefined || isOver(progress)) && question === undefined && !busy,
    writing: own && progress?.state === 'running',
    ended: endings,
    start,
    order,
    arrive,
    goOn,
    stop,
    undo,
    clearRefusals,
    say,
    cancel,
    close,
  };
}

/**
 * Does something once a run has come to its end while it is looked at.
 * @param isMeant - the run in front is the one
 */
export function useDone({ progress, ended: times }: Runs, isMeant: boolean, then: () => void): void {
  const done = progress?.state === 'done' && isMeant && times;
  const before = useRef(done);
  useEffect(() => {
    if (done && done !== before.current) then();
    before.current = done;
  });
}

/** The starters differ in what they take, not in what they give. */
function startRun<M extends Starter & Method>(method: M, payload: Payload<M>): Promise<Reply<Progress>> {
  return ask(method, payload);
}
