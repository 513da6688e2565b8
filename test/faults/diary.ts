// Where Workers under test note what they did, so that a test hears of it without asking them.
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

/** What was noted. */
export interface Diary {
  /** Where to POST a note. */
  url: string;
  /** In the order in which they came. */
  notes: readonly string[];
  /** When a note came for the first time: milliseconds since 1970. */
  at: (note: string) => number | undefined;
  close: () => Promise<void>;
}

/** Opens an empty diary. */
export async function openDiary(): Promise<Diary> {
  const notes: string[] = [];
  const times = new Map<string, number>();
  const { origin, close } = await listen((request, response) => {
    void text(request).then((note) => {
      notes.push(note);
      if (!times.has(note)) times.set(note, Date.now());
      response.end();
    });
  });
  return { url: origin, notes, at: (note) => times.get(note), close };
}
