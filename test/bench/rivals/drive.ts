// How every server of this bench is loaded.
import { type Figure, type LoadTarget, measureLoad } from '../load/drive.ts';

/** The records that are asked for: as many as an office has in use. */
export const REQUESTED_IDS = { from: 1, count: 100 } as const;

/** By then every server is warm. */
const WARM_UP_RESPONSES = 5_000;

/** A server of this bench: where it is, and what it is sent. */
interface RivalServer extends Pick<LoadTarget, 'server' | 'cache'> {
  host: string;
  port: number;
  text: string;
}

/** Loads a server. @throws Error where an answer is no success, or not of the kind that is meant */
export function measureRival({ host, port, text, ...rest }: RivalServer, quick: boolean): Promise<Figure> {
  return measureLoad(
    { ...rest, template: { host, port, text, ...REQUESTED_IDS }, warmUpResponses: WARM_UP_RESPONSES },
    quick,
  );
}
