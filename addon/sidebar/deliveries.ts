// Writes rows that became ready for tables of this spreadsheet, by itself, while the sidebar is open.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Delivery } from '../server/api/index.ts';
import type { Runs } from './runs.ts';
import { callScript } from './script.ts';

const PAUSE_MS = 30_000;
/** A request is ready a moment before its rows are told. */
const SOON_MS = 500;

/** What became ready, as far as a person has to know. */
export interface Deliveries {
  /** What could not be written, and why. */
  failed: { delivery: Delivery; message: string } | undefined;
  /** Tries it again. */
  retry: () => void;
  /** Leaves it for another time. */
  dismiss: () => void;
  /** Looks at once. */
  checkNow: () => void;
}

const getDeliveryKey = ({ tableId, rowsId }: Delivery): string => `${tableId} ${rowsId}`;

/**
 * Looks now and then for what became ready, and writes it while nothing else is in front.
 * @param active - false while nobody sees the page, or where there is no connection
 */
export function useDeliveries(active: boolean, runs: Runs): Deliveries {
  const { isFree, writeDelivery } = runs;
  const [next, setNext] = useState<Delivery>();
  const [failed, setFailed] = useState<Deliveries['failed']>();
  const [asked, setAsked] = useState(0);
  /** What was tried: an answer that was on its way meanwhile may name it again. */
  const tried = useRef(new Set<string>());
  const begun = useRef<Delivery | undefined>(undefined);
  const heard = useRef(0);
  const looks = active && isFree && next === undefined;

  useEffect(() => {
    if (!looks) return;
    let ended = false;
    let soon = asked > heard.current;
    heard.current = asked;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      const seen = await callScript('deliveries', {});
      if (ended) return;
      const found = seen.ok
        ? seen.value.deliveries.find((one) => !tried.current.has(getDeliveryKey(one)))
        : undefined;
      setNext(found);
      if (found === undefined) timer = setTimeout(look, soon ? SOON_MS : PAUSE_MS);
      soon = false;
    };
    void look();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [looks, asked]);

  useEffect(() => {
    // It may be seen once more between its end and the next look.
    if (next === undefined || !isFree || begun.current === next) return;
    begun.current = next;
    const key = getDeliveryKey(next);
    tried.current.add(key);
    void writeDelivery(next).then((refusal) => {
      // Somebody else writes into this spreadsheet: a later look finds it again.
      if (refusal?.code === 'running') setTimeout(() => tried.current.delete(key), PAUSE_MS);
      else if (refusal !== undefined) setFailed({ delivery: next, message: refusal.message });
      setNext(undefined);
    });
  }, [next, isFree, writeDelivery]);

  return {
    failed,
    retry: () => {
      setNext(failed && { ...failed.delivery });
      setFailed(undefined);
    },
    dismiss: () => setFailed(undefined),
    checkNow: useCallback(() => setAsked((times) => times + 1), []),
  };
}
