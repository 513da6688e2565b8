// Completes formulas that wait for rows, with back-off, while the sidebar is open, and counts those that a person may run.
import { useEffect, useState } from 'preact/hooks';
import { callScript } from './script.ts';

const FIRST_MS = 5000;
/** Shortest delay, used after progress, and longest. */
const MIN_DELAY_MS = 20_000;
const MAX_DELAY_MS = 300_000;

/**
 * Polls for waiting formulas and reruns them; the delay doubles without progress.
 * @param active - false while a run writes or without a connection
 * @param version - a change, such as of the budget, restarts the polling
 * @returns the number of waiting formulas, and of the ones that run at a click: their price has to be confirmed, or there are
 *   credits again
 */
export function usePendingFormulas(active: boolean, version: string): { waiting: number; offered: number } {
  const [waiting, setWaiting] = useState(0);
  const [offered, setOffered] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` restarts the effect.
  useEffect(() => {
    if (!active) return;
    let isCancelled = false;
    let delay = MIN_DELAY_MS;
    let timer = setTimeout(poll, FIRST_MS);
    async function poll(): Promise<void> {
      if (document.visibilityState === 'visible') {
        const pending = await callScript('pending', {});
        if (isCancelled) return;
        const count = pending.ok ? pending.value.formulas : 0;
        setWaiting(count);
        setOffered(pending.ok ? pending.value.offered : 0);
        let hasProgress = false;
        if (count > 0) {
          const reply = await callScript('completePending', {});
          if (isCancelled) return;
          if (reply.ok) {
            setWaiting(reply.value.left);
            hasProgress = reply.value.again > 0;
          }
        }
        delay = hasProgress ? MIN_DELAY_MS : Math.min(MAX_DELAY_MS, delay * 2);
      }
      if (!isCancelled) timer = setTimeout(poll, delay);
    }
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }, [active, version]);
  return { waiting, offered };
}
