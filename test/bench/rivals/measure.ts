// Measures a server of the rivals bench.
import { type Figure, type LoadTarget, measureLoad } from '../load/measure.ts';

/** Requested records: as many as an office uses. */
export const REQUESTED_IDS = { from: 1, count: 100 } as const;

/** Responses until every server is warm. */
const WARM_UP_RESPONSES = 5_000;

/** A server and its request. */
interface RivalServer extends Pick<LoadTarget, 'server' | 'cache'> {
  host: string;
  port: number;
  text: string;
}

/** Measures a server. @throws Error if a response fails or has another `x-cache` header */
export function measureRival({ host, port, text, ...rest }: RivalServer, quick: boolean): Promise<Figure> {
  return measureLoad(
    { ...rest, template: { host, port, text, ...REQUESTED_IDS }, warmUpResponses: WARM_UP_RESPONSES },
    quick,
  );
}
