// Follows requests that are under way: live where the gateway's events reach the page, by asking now and then elsewhere.
import { useEffect, useRef } from 'preact/hooks';
import type { DataRequestView } from '../../../shared/api/data-requests.ts';
import { callScript } from '../script.ts';

/** How often the list is asked for where there are no events. */
const POLL_MS = 10_000;
/** When lost events are opened again. */
const RECONNECT_MS = 5000;
/** Browsers open six connections to a host. */
const MAX_STREAMS = 3;

function isView(value: unknown): value is DataRequestView {
  return typeof value === 'object' && value !== null && 'id' in value && 'state' in value;
}

/**
 * Follows requests while they are shown.
 * @param ids - of those that have not ended
 * @param active - false while nobody sees them: everything is closed
 * @param onView - a request as it is now
 * @param onLate - asks for all of them
 */
export function useLiveUpdates(
  ids: readonly string[],
  active: boolean,
  onView: (view: DataRequestView) => void,
  onLate: () => void,
): void {
  const key = ids.join(' ');
  const handlers = useRef({ onView, onLate });
  handlers.current = { onView, onLate };
  useEffect(() => {
    if (!active || key === '') return;
    const all = key.split(' ');
    const timers = new Set<ReturnType<typeof setInterval>>();
    const sources = new Map<string, EventSource>();
    let ended = false;
    let polling = false;
    const poll = (): void => {
      if (polling || ended) return;
      polling = true;
      timers.add(setInterval(() => handlers.current.onLate(), POLL_MS));
    };
    const open = async (id: string): Promise<void> => {
      const reply = await callScript('bulkEvents', { id });
      if (ended) return;
      if (!reply.ok) return poll();
      const source = new EventSource(reply.value.url);
      let heard = false;
      /** An address opens once: whoever comes back asks for another. */
      const again = (): void => {
        source.close();
        if (heard) timers.add(setTimeout(() => void open(id), RECONNECT_MS));
        else poll();
      };
      sources.set(id, source);
      source.addEventListener('state', ({ data }: MessageEvent<string>) => {
        heard = true;
        const view: unknown = JSON.parse(data);
        if (isView(view)) handlers.current.onView(view);
      });
      source.addEventListener('close', ({ data }: MessageEvent<string>) => {
        if (data === 'ended') source.close();
        else again();
      });
      source.onerror = again;
    };
    for (const id of all.slice(0, MAX_STREAMS)) void open(id);
    if (all.length > MAX_STREAMS) poll();
    return () => {
      ended = true;
      for (const timer of timers) clearInterval(timer);
      for (const source of sources.values()) source.close();
    };
  }, [key, active]);
}
