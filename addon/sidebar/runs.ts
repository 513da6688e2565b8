// The sidebar's current run: calls the script and dispatches what happens. One run at a time.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Delivery, Overwrite, Payload, Progress, Reply } from '../server/api/index.ts';
import type { MethodResult } from '../server/index.ts';
import {
  getProgress,
  initialRunState,
  isBusy,
  isFree,
  isReport,
  type RunEvent,
  type RunState,
  reduceRun,
  resumeProgress,
} from './run-state.ts';
import { callScript, type ScriptError } from './script.ts';

export type StartMethod =
  | 'startSearch'
  | 'startEnrich'
  | 'startChoices'
  | 'refreshTable'
  | 'startRecords'
  | 'writeBulk';

interface Answer {
  confirmed: true;
  changes?: string;
  keepChanges?: true;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Time after which a report closes, in ms. Undo is also in the list of runs under Activity. */
const REPORT_MS = 30_000;
/** A report stays while the pointer is over the sidebar, or the keyboard in the report. */
const IN_USE = 'html:hover, .dock :focus-visible';

/** The current run, and what can be done with it. */
export type Runs = ReturnType<typeof useRuns>;

export function useRuns() {
  const [state, setState] = useState<RunState>(initialRunState);
  // The loop of a run reads the state between its calls.
  const latest = useRef(state);
  const actions = useRef<ReturnType<typeof createActions> | undefined>(undefined);
  actions.current ??= createActions(
    () => latest.current,
    (event) => {
      latest.current = reduceRun(latest.current, event);
      setState(latest.current);
    },
  );
  useEffect(
    () => () => {
      latest.current = initialRunState;
    },
    [],
  );
  const isOver = isReport(state);
  const { dispatch } = actions.current;
  useEffect(() => {
    if (!isOver) return undefined;
    const timer = setInterval(() => {
      if (document.querySelector(IN_USE) === null) dispatch({ type: 'closed' });
    }, REPORT_MS);
    return () => clearInterval(timer);
  }, [isOver, dispatch]);
  return {
    state,
    progress: getProgress(state),
    busy: isBusy(state),
    isFree: isFree(state),
    ...actions.current,
  };
}

function createActions(getState: () => RunState, dispatch: (event: RunEvent) => void) {
  async function follow(progress: Progress, title?: string): Promise<void> {
    const { runId } = progress;
    dispatch({ type: 'started', progress, ...(title !== undefined && { title }) });
    for (let now = getState(); now.kind === 'running'; now = getState()) {
      const { waitMs } = now.progress;
      if (waitMs !== undefined) {
        await sleep(waitMs);
        if (getState().kind !== 'running') break;
      }
      dispatch({ type: 'stepped', reply: await callScript('step', { runId }) });
    }
    if (getState().kind === 'stopping')
      dispatch({ type: 'stopped', reply: await callScript('stop', { runId }) });
  }

  /** Calls a method. Asks first, or asks again with the answer of the method, if it would overwrite manual changes. */
  async function begin<T>(
    method: StartMethod | 'startBulk',
    call: (answer: Answer | undefined) => Promise<Reply<T>>,
    onStarted: (value: T) => void,
    overwrite?: Overwrite,
    answer?: Answer,
  ): Promise<void> {
    const ask = (text: string, changed: Overwrite | undefined): void => {
      const confirm = (keepChanges?: true): void =>
        void begin(method, call, onStarted, changed, {
          confirmed: true,
          ...(changed && { changes: changed.digest }),
          ...(keepChanges && { keepChanges }),
        });
      dispatch({ type: 'asked', question: { text, overwrite: changed, confirm } });
    };
    if (overwrite !== undefined && answer === undefined) return ask(overwrite.question, overwrite);
    dispatch({ type: 'called', method });
    const reply = await call(answer);
    if (reply.ok) onStarted(reply.value);
    else if (reply.code === 'confirm_first') ask(reply.message, reply.replaced);
    else dispatch({ type: 'answered', error: reply });
  }

  return {
    dispatch,
    /** Starts a run. Asks first if it would overwrite manual changes. */
    start: <M extends StartMethod>(method: M, payload: Payload<M>, overwrite?: Overwrite): void =>
      void begin(method, (answer) => startRun(method, { ...payload, ...answer }), follow, overwrite),
    /** Places a bulk order, with the same question. */
    order: (
      payload: Payload<'startBulk'>,
      overwrite: Overwrite | undefined,
      onOrdered: (list: MethodResult<'startBulk'>) => void,
    ): void =>
      void begin(
        'startBulk',
        (answer) => callScript('startBulk', { ...payload, ...answer }),
        (list) => {
          dispatch({ type: 'answered' });
          onOrdered(list);
        },
        overwrite,
      ),
    /**
     * Writes the rows of a delivery.
     * @returns the error; undefined when the rows are written or the run is shown to the user
     */
    writeDelivery: async ({ title, ...delivery }: Delivery): Promise<ScriptError | undefined> => {
      dispatch({ type: 'called', method: 'writeDelivery' });
      const reply = await callScript('writeDelivery', delivery);
      if (reply.ok) await follow(reply.value, title);
      else dispatch({ type: 'answered' });
      return reply.ok ? undefined : reply;
    },
    resume: (progress: Progress): void => void follow(resumeProgress(progress)),
    stop: (): void => {
      const progress = getProgress(getState());
      dispatch({ type: 'stopRequested' });
      // Otherwise the current step would keep buying until it returns.
      if (progress !== undefined) void callScript('cancelStep', { runId: progress.runId });
    },
    /** Shows a success message. @param undo - id of the run, if it can be undone */
    report: (sentence: string, undo?: string): void =>
      dispatch({ type: 'succeeded', message: { sentence, ...(undo !== undefined && { undo }) } }),
    /** Undoes a run. @param isPaid - it may have spent credits */
    undo: (runId: string, isPaid = false): void => {
      dispatch({ type: 'called', method: 'undo' });
      void callScript('undo', { runId }).then((reply) =>
        dispatch(
          reply.ok ? { type: 'undone', result: reply.value, isPaid } : { type: 'answered', error: reply },
        ),
      );
    },
  };
}

function startRun<M extends StartMethod>(method: M, payload: Payload<M>): Promise<Reply<Progress>> {
  return callScript(method, payload);
}
