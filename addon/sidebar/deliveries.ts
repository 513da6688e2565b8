// Writes finished rows into tables of this spreadsheet automatically while the sidebar is open.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Delivery } from '../server/api/index.ts';
import type { Watched } from './context.ts';
import type { Runs } from './runs.ts';
import { callScript } from './script.ts';

const POLL_MS = 30_000;
/** First delay after a person has used the sidebar, and may edit the sheet next. It doubles up to {@link POLL_MS}. */
const USED_MS = 5000;
/** Frames are not told reliably that the pointer has left them, so its last move counts. */
const USES = ['pointermove', 'blur'] as const;
/** An order becomes ready a moment before its delivery is listed. */
const RECHECK_MS = 500;

const getDeliveryKey = ({ tableId, rowsId }: Delivery): string => `${tableId} ${rowsId}`;

/**
 * Polls for deliveries and writes each while no run is active. The same calls check the rows of a lookup.
 * @param active - false while the page is hidden or not connected
 */
export function useDeliveries(
  active: boolean,
  runs: Runs,
  watched: { readonly current: Watched | undefined },
) {
  const { isFree, writeDelivery, dispatch } = runs;
  const [next, setNext] = useState<Delivery>();
  const [failed, setFailed] = useState<{ delivery: Delivery; message: string }>();
  const [requestedChecks, setRequestedChecks] = useState(0);
  /** Keys of tried deliveries: an earlier reply may still list them. */
  const tried = useRef(new Set<string>());
  const started = useRef<Delivery | undefined>(undefined);
  const announced = useRef('');
  const handledChecks = useRef(0);
  const isPolling = active && isFree && next === undefined;

  useEffect(() => {
    if (!isPolling) return;
    let isCancelled = false;
    let recheck = requestedChecks > handledChecks.current;
    handledChecks.current = requestedChecks;
    // The person may have opened the sidebar without a look at it.
    let delay = 2 * USED_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = (ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(check, ms);
    };
    const check = async (): Promise<void> => {
      const order = watched.current?.order;
      const reply = await callScript('deliveries', order ? { watched: order } : {});
      if (isCancelled) return;
      if (reply.ok && reply.value.digest !== undefined) watched.current?.onDigest(reply.value.digest);
      const filled = reply.ok ? reply.value.filled : undefined;
      if (filled !== undefined && announced.current !== filled.runId) {
        announced.current = filled.runId;
        dispatch({ type: 'filled', fill: filled });
      }
      const untried = reply.ok
        ? reply.value.deliveries.find((delivery) => !tried.current.has(getDeliveryKey(delivery)))
        : undefined;
      setNext(untried);
      if (untried === undefined) schedule(recheck ? RECHECK_MS : delay);
      recheck = false;
      delay = Math.min(POLL_MS, delay * 2);
    };
    const onUse = (): void => {
      if (watched.current === undefined) return;
      delay = USED_MS;
      schedule(delay);
    };
    for (const name of USES) addEventListener(name, onUse);
    void check();
    return () => {
      isCancelled = true;
      clearTimeout(timer);
      for (const name of USES) removeEventListener(name, onUse);
    };
  }, [isPolling, requestedChecks, dispatch, watched]);

  useEffect(() => {
    // The effect may run again with the same delivery after it was written.
    if (next === undefined || !isFree || started.current === next) return;
    started.current = next;
    const key = getDeliveryKey(next);
    tried.current.add(key);
    void writeDelivery(next).then((error) => {
      // Another run writes to this spreadsheet: retry later.
      if (error?.code === 'running') setTimeout(() => tried.current.delete(key), POLL_MS);
      else if (error !== undefined) setFailed({ delivery: next, message: error.message });
      setNext(undefined);
    });
  }, [next, isFree, writeDelivery]);

  return {
    failed,
    retry: (): void => {
      setNext(failed && { ...failed.delivery });
      setFailed(undefined);
    },
    dismiss: (): void => setFailed(undefined),
    checkNow: useCallback(() => setRequestedChecks((count) => count + 1), []),
  };
}
