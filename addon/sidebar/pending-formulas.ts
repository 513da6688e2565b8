// Completes formulas that wait for rows, gently, while the sidebar is open.
import { useEffect, useState } from 'preact/hooks';
import { callScript } from './script.ts';

const FIRST_MS = 5000;
/** After a round that completed something, and the longest pause after rounds that did not. */
const SOON_MS = 20_000;
const LATE_MS = 300_000;

/**
 * Looks for waiting formulas now and then, and sets them again; rarer while nothing comes of it.
 * @param active - false while a run writes, or where there is no connection
 * @param version - after a change of it, which may have brought budget, it looks at once
 * @returns how many wait, as far as was seen
 */
export function usePendingFormulas(active: boolean, version: number): number {
  const [waiting, setWaiting] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` begins anew.
  useEffect(() => {
    if (!active) return;
    let ended = false;
    let pause = SOON_MS;
    let timer = setTimeout(look, FIRST_MS);
    async function look(): Promise<void> {
      // A page that nobody sees asks nothing.
      if (document.visibilityState === 'visible') {
        const seen = await callScript('pending', {});
        if (ended) return;
        const found = seen.ok ? seen.value.formulas : 0;
        setWaiting(found);
        let completed = false;
        if (found > 0) {
          const reply = await callScript('completePending', {});
          if (ended) return;
          if (reply.ok) {
            setWaiting(reply.value.left);
            completed = reply.value.again > 0;
          }
        }
        pause = completed ? SOON_MS : Math.min(LATE_MS, pause * 2);
      }
      if (!ended) timer = setTimeout(look, pause);
    }
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [active, version]);
  return waiting;
}
