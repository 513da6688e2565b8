// One run at a time: started by a click, stepped until it is done, stopped, taken back.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Method, Overwrite, Payload, Progress, Reply } from '../server/api.ts';
import type { Refusal } from './hooks.ts';
import { ask } from './server.ts';

/** The methods that start a run. */
type Starter = 'startSearch' | 'startEnrich' | 'refreshTable' | 'fullRecords';

/** What stands between a click and a run. */
export interface Question {
  sentence: string;
  overwrite: Overwrite | undefined;
  yes: () => void;
}

/** How the run of this sidebar stands. */
export interface Runs {
  /** The run in front, also after its end, until it is put away. */
  progress: Progress | undefined;
  /** A call for it is on its way. */
  busy: boolean;
  refusal: Refusal | undefined;
  question: Question | undefined;
  /** Said after an undo. */
  undone: string | undefined;
  /** Starts a run; asks first where something typed by hand would be replaced. */
  start: <M extends Starter>(method: M, payload: Payload<M>, overwrite?: Overwrite) => void;
  /** Goes on with a run that paused, was stopped, or was left. */
  goOn: (progress: Progress) => void;
  stop: () => void;
  undo: () => void;
  /** Answers the question with no. */
  cancel: () => void;
  /** Puts away what is shown. */
  close: () => void;
}

type Starting = (confirmed: boolean) => Promise<Reply<Progress>>;

const pause = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));

const ended = (progress: Progress): boolean => progress.state === 'done' || progress.state === 'stopped';

/** Makes {@link Runs}. */
export function useRuns(): Runs {
  const [progress, setProgress] = useState<Progress>();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [question, setQuestion] = useState<Question>();
  const [undone, setUndone] = useState<string>();
  /** Which loop may step: a loop that finds another number here ends. */
  const turn = useRef(0);
  const stopped = useRef(false);
  useEffect(
    () => () => {
      turn.current += 1;
    },
    [],
  );

  const follow = useCallback(async (begun: Progress): Promise<void> => {
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
      if (mine !== turn.current || stopped.current) return;
      const reply = await ask('step', { runId: now.runId });
      if (mine !== turn.current) return;
      if (!reply.ok) {
        // What was written stays, and the run can go on from there.
        now = {
          ...now,
          state: 'paused',
          trouble: { message: reply.message, ...(reply.code && { code: reply.code }) },
        };
        delete now.waitMs;
      } else now = reply.value;
      // A step that was on its way when someone stopped still wrote its rows.
      setProgress(stopped.current && !ended(now) ? { ...now, state: 'stopped' } : now);
    }
    setBusy(false);
  }, []);

  const begin = useCallback(
    async (starting: Starting, overwrite: Overwrite | undefined, confirmed: boolean): Promise<void> => {
      setQuestion(undefined);
      setRefusal(undefined);
      setUndone(undefined);
      setBusy(true);
      const reply = await starting(confirmed);
      setBusy(false);
      if (reply.ok) await follow(reply.value);
      else if (reply.code === 'confirm_first') {
        setQuestion({ sentence: reply.message, overwrite, yes: () => void begin(starting, overwrite, true) });
      } else setRefusal(reply);
    },
    [follow],
  );

  const start: Runs['start'] = useCallback(
    (method, payload, overwrite) => {
      const starting: Starting = (confirmed) =>
        startRun(method, confirmed ? { ...payload, confirmed } : payload);
      if (overwrite === undefined) void begin(starting, undefined, false);
      else {
        setRefusal(undefined);
        setQuestion({
          sentence: overwrite.question,
          overwrite,
          yes: () => void begin(starting, overwrite, true),
        });
      }
    },
    [begin],
  );

  const goOn = useCallback(
    (left: Progress) => {
      setRefusal(undefined);
      setUndone(undefined);
      const { trouble: _, waitMs: __, ...rest } = left;
      void follow({ ...rest, state: 'running' });
    },
    [follow],
  );

  const stop = useCallback(() => {
    if (progress === undefined) return;
    stopped.current = true;
    setBusy(true);
    void ask('stop', { runId: progress.runId }).then((reply) => {
      setBusy(false);
      if (!reply.ok) setRefusal(reply);
      else
        setProgress((last) =>
          last !== undefined && last.done > reply.value.done ? { ...last, state: 'stopped' } : reply.value,
        );
    });
  }, [progress]);

  const undo = useCallback(() => {
    if (progress === undefined) return;
    setBusy(true);
    setRefusal(undefined);
    void ask('undo', { runId: progress.runId }).then((reply) => {
      setBusy(false);
      if (!reply.ok) {
        setRefusal(reply);
        return;
      }
      setProgress(undefined);
      setUndone(
        `Taken back: ${reply.value.cells.toLocaleString('en')} cells are as they were. Credits stay spent; what was bought is remembered.`,
      );
    });
  }, [progress]);

  const close = useCallback(() => {
    turn.current += 1;
    setProgress(undefined);
    setRefusal(undefined);
    setUndone(undefined);
    setQuestion(undefined);
    setBusy(false);
  }, []);
  const cancel = useCallback(() => setQuestion(undefined), []);
  return { progress, busy, refusal, question, undone, start, goOn, stop, undo, cancel, close };
}

/** The starters differ in what they take, not in what they give. */
function startRun<M extends Starter & Method>(method: M, payload: Payload<M>): Promise<Reply<Progress>> {
  return ask(method, payload);
}
