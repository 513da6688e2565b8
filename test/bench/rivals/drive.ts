// How every server of this bench is loaded.
import { drive, type Figure, type Loaded } from '../load/drive.ts';

/** The records that are asked for: as many as an office has in use. */
export const ASKED = { from: 1, count: 100 } as const;

/** By then every server is warm. */
const WARM_UP_ANSWERS = 5_000;

/** A server of this bench: where it is, and what it is sent. */
interface Rival extends Pick<Loaded, 'server' | 'cache'> {
  host: string;
  port: number;
  text: string;
}

/** Loads a server. @throws Error where an answer is no success, or not of the kind that is meant */
export function driveRival({ host, port, text, ...rest }: Rival, quick: boolean): Promise<Figure> {
  return drive({ ...rest, question: { host, port, text, ...ASKED }, warmUpAnswers: WARM_UP_ANSWERS }, quick);
}
