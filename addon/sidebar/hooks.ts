// What the tabs do alike: load something when shown, and ask again a moment after the last change.
import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Method, MethodResult, Payload, Reply } from '../server/api/index.ts';
import { callScript } from './script.ts';

/** A refusal as it is shown. */
export type ScriptError = Extract<Reply<never>, { ok: false }>;

/** Something on its way, there, or refused. What was there before stays while it is asked for again. */
export interface AsyncValue<T> {
  value: T | undefined;
  refusal: ScriptError | undefined;
  busy: boolean;
  /** Asks again. */
  reload: () => void;
}

/** Something asked for, which may change here too. */
export interface EditableAsyncValue<T> extends AsyncValue<T> {
  /** Puts a newer value in its place. */
  put: (value: T) => void;
}

/** What is there, unless it is being asked for again or was refused. */
export function getCurrentValue<T>({ value, refusal, busy }: AsyncValue<T>): T | undefined {
  return busy || refusal !== undefined ? undefined : value;
}

/** Counts changes of the connection and of what may be spent: after one, every answer is asked for again. */
export const StatusVersionContext = createContext(0);

/** A person who types is left alone this long, in ms; one who chooses is answered at once. */
export const TYPING_DELAY_MS = 600;

/**
 * Keeps the answer of a method for a payload: asked at once when the component appears, and a moment after the payload
 * has changed. Answers that were overtaken are dropped.
 * @param payload - undefined where there is nothing to ask yet
 * @param settleMs - how long the payload must stand still after a change
 */
export function useScriptValue<M extends Method>(
  method: M,
  payload: Payload<M> | undefined,
  settleMs = 0,
): EditableAsyncValue<MethodResult<M>> {
  const [value, put] = useState<MethodResult<M>>();
  const [refusal, setRefusal] = useState<ScriptError>();
  const [busy, setBusy] = useState(payload !== undefined);
  const [asked, setAsked] = useState(0);
  const key = payload === undefined ? undefined : JSON.stringify(payload);
  const version = useContext(StatusVersionContext);
  const first = useRef(true);
  // The payload is told apart by what it says, not by which object says it.
  const latest = useRef(payload);
  latest.current = payload;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` and `version` ask again, and `key` stands for the payload.
  useEffect(() => {
    const wanted = latest.current;
    if (key === undefined || wanted === undefined) {
      setBusy(false);
      return;
    }
    let dropped = false;
    setBusy(true);
    const send = (): void => {
      void callScript(method, wanted).then((reply) => {
        if (dropped) return;
        setBusy(false);
        setRefusal(reply.ok ? undefined : reply);
        if (reply.ok) put(() => reply.value);
      });
    };
    const timer = setTimeout(send, first.current ? 0 : settleMs);
    first.current = false;
    return () => {
      dropped = true;
      clearTimeout(timer);
    };
  }, [method, key, asked, version, settleMs]);
  const reload = useCallback(() => {
    first.current = true;
    setAsked((times) => times + 1);
  }, []);
  return { value, refusal, busy, reload, put: (next) => put(() => next) };
}

/** A click that calls the script: busy until it has answered, and then perhaps refused. */
export interface ScriptAction {
  busy: boolean;
  refusal: ScriptError | undefined;
  /**
   * Calls the method.
   * @returns what it gave; undefined where it was refused
   */
  run: <M extends Method>(method: M, payload: Payload<M>) => Promise<MethodResult<M> | undefined>;
  /** Takes a refusal off the screen. */
  clear: () => void;
}

/** Makes a {@link ScriptAction}. */
export function useScriptAction(): ScriptAction {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ScriptError>();
  const run = useCallback(async <M extends Method>(method: M, payload: Payload<M>) => {
    setBusy(true);
    setRefusal(undefined);
    const reply = await callScript(method, payload);
    setBusy(false);
    if (reply.ok) return reply.value;
    setRefusal(reply);
    return undefined;
  }, []);
  const clear = useCallback(() => setRefusal(undefined), []);
  return { busy, refusal, run, clear };
}

/**
 * Asks again when a tab comes back to the front, and when something has changed what it shows.
 * @param change - another value means that something has changed
 */
export function useReloadWhenShown(shown: boolean, change: unknown, reload: () => void): void {
  const seen = useRef({ shown, change });
  useEffect(() => {
    const before = seen.current;
    const due = shown && (!before.shown || before.change !== change);
    // A change that happens behind another tab is due when this one comes to the front.
    seen.current = { shown, change: shown ? change : before.change };
    if (due) reload();
  }, [shown, change, reload]);
}

/** Asks again when somebody comes back to the page from the sheet, where something may have changed. */
export function useReloadOnFocus(shown: boolean, reload: () => void): void {
  useEffect(() => {
    if (shown) addEventListener('focus', reload);
    return () => removeEventListener('focus', reload);
  }, [shown, reload]);
}

const seen = (): boolean => document.visibilityState === 'visible';

/** Is the page in sight? One that nobody sees asks nothing. */
export function usePageVisible(): boolean {
  const [visible, setVisible] = useState(seen);
  useEffect(() => {
    const look = (): void => setVisible(seen);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return visible;
}
