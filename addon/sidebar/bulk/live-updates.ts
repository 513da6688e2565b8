// Follows open bulk orders by server-sent events, or by polling if those do not reach the page.
import { useEffect, useRef } from 'preact/hooks';
import type { DataRequestView } from '../../../shared/api/data-requests.ts';
import { createGuard, parseAs } from '../../lib/json.ts';
import { callScript } from '../script.ts';

const POLL_MS = 10_000;
const RECONNECT_MS = 5000;
/** Browsers open at most six connections to a host. */
const MAX_STREAMS = 3;

const isView = createGuard<DataRequestView>({ id: 'string', state: 'string' });

/**
 * Follows orders while they are visible.
 * @param ids - ids of open orders
 * @param active - false closes all connections
 * @param onView - receives the new state of an order
 * @param onPoll - reloads all orders
 */
export function useLiveUpdates(
  ids: readonly string[],
  active: boolean,
  onView: (view: DataRequestView) => void,
  onPoll: () => void,
): void {
  const key = ids.join(' ');
  const handlers = useRef({ onView, onPoll });
  handlers.current = { onView, onPoll };
  useEffect(() => {
    if (!active || key === '') return;
    const openIds = key.split(' ');
    const timers = new Set<ReturnType<typeof setInterval>>();
    const sources = new Map<string, EventSource>();
    let isCancelled = false;
    let isPolling = false;
    const poll = (): void => {
      if (isPolling || isCancelled) return;
      isPolling = true;
      timers.add(setInterval(() => handlers.current.onPoll(), POLL_MS));
    };
    const open = async (id: string): Promise<void> => {
      const reply = await callScript('bulkEvents', { id });
      if (isCancelled) return;
      if (!reply.ok) return poll();
      const source = new EventSource(reply.value.url);
      let hasEvents = false;
      /** A stream URL works once, so reconnecting needs a new one. */
      const reconnect = (): void => {
        source.close();
        if (hasEvents) timers.add(setTimeout(() => void open(id), RECONNECT_MS));
        else poll();
      };
      sources.set(id, source);
      source.addEventListener('state', ({ data }: MessageEvent<string>) => {
        hasEvents = true;
        const view = parseAs(data, isView);
        if (view !== undefined) handlers.current.onView(view);
      });
      source.addEventListener('close', ({ data }: MessageEvent<string>) => {
        if (data === 'ended') source.close();
        else reconnect();
      });
      source.onerror = reconnect;
    };
    for (const id of openIds.slice(0, MAX_STREAMS)) void open(id);
    if (openIds.length > MAX_STREAMS) poll();
    return () => {
      isCancelled = true;
      for (const timer of timers) clearInterval(timer);
      for (const source of sources.values()) source.close();
    };
  }, [key, active]);
}
