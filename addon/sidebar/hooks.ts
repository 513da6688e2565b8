// Hooks that call the script: load values, run actions, reload when a tab is shown.
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { MINUTE_MS } from '../../shared/lib/durations.ts';
import type { Method, Payload, Reply } from '../server/api/index.ts';
import type { MethodResult } from '../server/index.ts';
import { SidebarContext, useSidebar } from './context.ts';
import { callScript, type ScriptError } from './script.ts';

/** A value that loads, has loaded or failed to load. The previous value stays while it reloads. */
export interface AsyncValue<T> {
  value: T | undefined;
  error: ScriptError | undefined;
  busy: boolean;
  reload: () => void;
}

/** A loaded value that the page can replace. */
export interface EditableAsyncValue<T> extends AsyncValue<T> {
  put: (value: T) => void;
  /** Loads it again and keeps the previous value in use meanwhile: nothing that a person is about to click is disabled. */
  refresh: () => void;
}

/** Returns the value unless it is loading or failed to load. */
export function getCurrentValue<T>({ value, error, busy }: AsyncValue<T>): T | undefined {
  return busy || error !== undefined ? undefined : value;
}

/** Debounce delay of typed input. Choices load at once. */
const TYPING_DELAY_MS = 600;

interface LoadOptions<T> {
  /** The payload is typed, so a change of it waits. */
  typed?: boolean;
  /** What the value is about; the value of another subject is never returned. */
  subject?: string;
  onReply?: (reply: Reply<T>) => unknown;
}

/**
 * Loads the result of a method: at once when the component mounts, and again when the payload has changed. Drops outdated
 * replies.
 * @param payload - undefined: load nothing
 */
export function useScriptValue<M extends Method>(
  method: M,
  payload: Payload<M> | undefined,
  { typed = false, subject = '', onReply }: LoadOptions<MethodResult<M>> = {},
): EditableAsyncValue<MethodResult<M>> {
  const [loaded, setLoaded] = useState<{ value: MethodResult<M>; subject: string }>();
  const [error, setError] = useState<ScriptError>();
  const [busy, setBusy] = useState(payload !== undefined);
  const [reloads, setReloads] = useState(0);
  const key = payload === undefined ? undefined : JSON.stringify(payload);
  const version = useContext(SidebarContext)?.version;
  const isImmediate = useRef(true);
  const isRefresh = useRef(false);
  const lastKey = useRef<string | undefined>(undefined);
  // Payloads are compared by content.
  const latest = useRef({ payload, onReply });
  latest.current = { payload, onReply };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reloads` and `version` trigger a reload; `key` is the payload, with which `subject` changes.
  useEffect(() => {
    const { payload: current } = latest.current;
    // The previous value of another payload must not stay in use.
    const isSilent = isRefresh.current && key === lastKey.current;
    isRefresh.current = false;
    lastKey.current = key;
    if (key === undefined || current === undefined) {
      setBusy(false);
      return;
    }
    let isOutdated = false;
    if (!isSilent) setBusy(true);
    const send = (): void => {
      void callScript(method, current).then((reply) => {
        if (isOutdated) return;
        setBusy(false);
        setError(reply.ok ? undefined : reply);
        if (reply.ok) setLoaded({ value: reply.value, subject });
        latest.current.onReply?.(reply);
      });
    };
    const timer = setTimeout(send, typed && !isImmediate.current ? TYPING_DELAY_MS : 0);
    isImmediate.current = false;
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [method, key, reloads, version, typed]);
  const reload = useCallback(() => {
    isImmediate.current = true;
    setReloads((count) => count + 1);
  }, []);
  const refresh = useCallback(() => {
    isRefresh.current = true;
    reload();
  }, [reload]);
  // The effect of a new payload runs after this rendering.
  const isBusy = busy || (key !== undefined && key !== lastKey.current);
  const value = loaded?.subject === subject ? loaded.value : undefined;
  return {
    value,
    error,
    busy: isBusy,
    reload,
    refresh,
    put: (next) => setLoaded({ value: next, subject }),
  };
}

/** Without a change for so long, a person has finished typing. */
const PAUSE_MS = 1500;

/** Tells whether a person has stopped changing an input, or has left its field. */
export function usePause(input: unknown): boolean {
  const [settled, setSettled] = useState(input);
  useEffect(() => {
    const settle = (): void => setSettled(input);
    const timer = setTimeout(settle, PAUSE_MS);
    addEventListener('focusout', settle);
    return () => {
      clearTimeout(timer);
      removeEventListener('focusout', settle);
    };
  }, [input]);
  return settled === input;
}

export interface ScriptAction {
  busy: boolean;
  error: ScriptError | undefined;
  /** Calls a method. @returns its result; undefined when it failed */
  run: <M extends Method>(
    method: M,
    payload: Payload<M>,
    onDone?: (result: MethodResult<M>) => void,
  ) => Promise<MethodResult<M> | undefined>;
  clear: () => void;
}

export function useScriptAction(): ScriptAction {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ScriptError>();
  const run: ScriptAction['run'] = useCallback(async (method, payload, onDone) => {
    setBusy(true);
    setError(undefined);
    const reply = await callScript(method, payload);
    setBusy(false);
    if (reply.ok) onDone?.(reply.value);
    else setError(reply);
    return reply.ok ? reply.value : undefined;
  }, []);
  const clear = useCallback(() => setError(undefined), []);
  return { busy, error, run, clear };
}

/** Reloads when a tab is shown again, and when `change` changes while it is shown. */
export function useReloadWhenShown(shown: boolean, change: unknown, reload: () => void): void {
  const previous = useRef({ shown, change });
  useEffect(() => {
    const { shown: wasShown, change: lastChange } = previous.current;
    // Changes while hidden take effect when the tab is shown.
    previous.current = { shown, change: shown ? change : lastChange };
    if (shown && (!wasShown || lastChange !== change)) reload();
  }, [shown, change, reload]);
}

/** Reloads when the tab is shown again, and when a run ended or its result was changed, as by Undo. */
export function useReloadAfterRuns(reload: () => void, change = ''): void {
  const { runs, shown } = useSidebar();
  const { ends, message } = runs.state;
  useReloadWhenShown(shown, `${ends} ${message?.sentence} ${change}`, reload);
}

/**
 * Calls a function once when the current run is done.
 * @param isMatch - whether the current run is the awaited one
 */
export function useRunDone(isMatch: boolean, onDone: () => void): void {
  const { state, progress } = useSidebar().runs;
  const done = progress?.state === 'done' && isMatch && state.ends;
  const previous = useRef(done);
  useEffect(() => {
    if (done && done !== previous.current) onDone();
    previous.current = done;
  });
}

/** Reloads when the page regains the focus: the sheet may have changed. */
export function useReloadOnFocus(shown: boolean, reload: () => void): void {
  useEffect(() => {
    if (shown) addEventListener('focus', reload);
    return () => removeEventListener('focus', reload);
  }, [shown, reload]);
}

/** The pointer reloads at most once in this time. */
const POINTER_MS = 3_000;
/**
 * Delays of reloads while the person works in the sheet. They double. After opening, the first one is late, so that it does
 * not coincide with the first click.
 */
const OPENED_MS = 12_000;
const FIRST_AWAY_MS = 4_000;
const MAX_AWAY_MS = 300_000;

/**
 * Reloads when the pointer comes back into the page, unless it did so a moment ago. Also reloads, with back-off, while
 * the visible page does not have the focus: the person may type in the sheet.
 */
export function useReloadWithSheet(shown: boolean, reload: () => void): void {
  const reloadedAt = useRef(0);
  useEffect(() => {
    if (!shown) return;
    const page = document.documentElement;
    let delay = OPENED_MS;
    let timer: ReturnType<typeof setTimeout>;
    const schedule = (): void => {
      timer = setTimeout(() => {
        if (isPageVisible() && !document.hasFocus()) reload();
        delay = Math.min(MAX_AWAY_MS, 2 * delay);
        schedule();
      }, delay);
    };
    const onLeave = (): void => {
      clearTimeout(timer);
      delay = FIRST_AWAY_MS;
      schedule();
    };
    const onEnter = (): void => {
      if (Date.now() < reloadedAt.current + POINTER_MS) return;
      reloadedAt.current = Date.now();
      reload();
    };
    schedule();
    page.addEventListener('pointerenter', onEnter);
    page.addEventListener('pointerleave', onLeave);
    addEventListener('blur', onLeave);
    return () => {
      clearTimeout(timer);
      page.removeEventListener('pointerenter', onEnter);
      page.removeEventListener('pointerleave', onLeave);
      removeEventListener('blur', onLeave);
    };
  }, [shown, reload]);
}

/** Renders again each minute while shown, so that all ages on a tab are of the same moment. */
export function useMinutes(): void {
  const { shown } = useSidebar();
  const [, setMinutes] = useState(0);
  useEffect(() => {
    const timer = shown ? setInterval(() => setMinutes((count) => count + 1), MINUTE_MS) : undefined;
    return () => clearInterval(timer);
  }, [shown]);
}

const RELOAD_MS = 5000;

export function useReloadWhile(loading: boolean, reload: () => void): void {
  useEffect(() => {
    const timer = loading ? setInterval(reload, RELOAD_MS) : undefined;
    return () => clearInterval(timer);
  }, [loading, reload]);
}

/**
 * Keeps the order of items while they are shown, so that no item moves after an action. New items come first.
 * @param getKey - returns what identifies an item
 */
export function useStableOrder<Item>(
  items: readonly Item[],
  getKey: (item: Item) => string | number,
): Item[] {
  const { shown } = useSidebar();
  const order = useRef<readonly (string | number)[]>([]);
  const known = shown ? order.current : [];
  const sorted = [...items].sort((a, b) => known.indexOf(getKey(a)) - known.indexOf(getKey(b)));
  const keys = sorted.map(getKey);
  useEffect(() => {
    if (!shown || keys.length > 0) order.current = shown ? keys : [];
  });
  return sorted;
}

const isPageVisible = (): boolean => document.visibilityState === 'visible';

/** Tracks whether the page is visible. A hidden page makes no calls. */
export function usePageVisible(): boolean {
  const [visible, setVisible] = useState(isPageVisible);
  useEffect(() => {
    const update = (): void => setVisible(isPageVisible);
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return visible;
}
