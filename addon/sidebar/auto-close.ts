// Closes the report of an ended run after a while.
import { useEffect } from 'preact/hooks';

/** Time after which a report closes, in ms. Undo is also in the list of runs under Activity. */
const REPORT_MS = 30_000;

/** Closes a report, unless the keyboard is in it. */
export function useAutoClose(isReport: boolean, close: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each render has another `close`, which does the same.
  useEffect(() => {
    if (!isReport) return undefined;
    const timer = setInterval(() => {
      if (document.querySelector('.dock :focus-visible') === null) close();
    }, REPORT_MS);
    return () => clearInterval(timer);
  }, [isReport]);
}
