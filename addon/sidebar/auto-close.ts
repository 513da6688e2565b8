// Closes the report of an ended run after a while.
import { useEffect } from 'preact/hooks';

/** Time after which a report closes, in ms. Undo is also in the list of runs under Activity. */
const REPORT_MS = 30_000;

/** A report stays while the pointer is over the sidebar, or the keyboard in the report. */
const IN_USE = 'html:hover, .dock :focus-visible';

/** Closes a report that nobody is using. */
export function useAutoClose(isReport: boolean, close: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each render has another `close`, which does the same.
  useEffect(() => {
    if (!isReport) return undefined;
    const timer = setInterval(() => {
      if (document.querySelector(IN_USE) === null) close();
    }, REPORT_MS);
    return () => clearInterval(timer);
  }, [isReport]);
}
