// RichTextValue in the realm: texts with links. Text styles are not emulated.
import type { RichText, Run } from '../../sheets/workbook.ts';
import { createException } from '../bridge.ts';
import { chained, createRegistry, emulateObject, method } from '../emulated.ts';

/** Class name, for parameter lists. */
export const RICH_TEXT = 'SpreadsheetApp.RichTextValue';

/** Contents of RichTextValues. */
export const richTexts = createRegistry<RichText>('value');

/** Creates a RichTextValue; null for a cell without text. */
export function createRichTextValue(value: unknown): object | null {
  if (value === null) return null;
  const { text, runs }: { text?: unknown; runs?: unknown } = Object(value);
  return createRichTextObject({ text: String(text), runs: Array.isArray(runs) ? runs : [] }, 0);
}

/** `offset` is the start within the cell's text; 0 unless it is a run. */
function createRichTextObject(rich: RichText, offset: number): object {
  const { text } = rich;
  const getLink = (from: unknown = 0, to: unknown = text.length): string | null => {
    const [start, end] = validateSpan(rich, Number(from), Number(to));
    const links = new Set(splitRuns(rich, start, end).map((run) => run.link));
    return links.size === 1 ? ([...links][0] ?? null) : null;
  };
  const self = emulateObject(RICH_TEXT, {
    getText: method(() => text),
    getStartIndex: method(() => offset),
    getEndIndex: method(() => offset + text.length),
    getLinkUrl: method(getLink, '', 'Integer, Integer'),
    getRuns: method(() =>
      splitRuns(rich, 0, text.length).map(({ start, end, link: url }) => {
        const part = text.slice(start, end);
        return createRichTextObject(
          { text: part, runs: url === null ? [] : [{ start: 0, end: part.length, link: url }] },
          start,
        );
      }),
    ),
    copy: method(() => createRichTextBuilder(rich)),
  });
  richTexts.set(self, rich);
  return self;
}

/** Creates the builder of SpreadsheetApp.newRichTextValue(). */
export function createRichTextBuilder(start: RichText = { text: '', runs: [] }): object {
  let rich = start;
  const setLink = (...args: unknown[]): void => {
    const [from, to, url] = args.length === 1 ? [0, rich.text.length, args[0]] : args;
    const [first, last] = validateSpan(rich, Number(from), Number(to));
    const run: Run = { start: first, end: last, link: url === null ? null : String(url) };
    const runs = [...splitRuns(rich, 0, first), run, ...splitRuns(rich, last, rich.text.length)];
    rich = { text: rich.text, runs: runs.filter((run) => run.link !== null && run.start < run.end) };
  };
  return emulateObject('SpreadsheetApp.RichTextValueBuilder', {
    // Reference "setText": also clears links and styles.
    setText: chained((text) => {
      rich = { text: String(text), runs: [] };
    }, 'String'),
    setLinkUrl: chained(setLink, 'String?', 'Integer, Integer, String?'),
    build: method(() => createRichTextObject(rich, 0)),
  });
}

function validateSpan({ text }: RichText, start: number, end: number): [number, number] {
  if (start < 0 || start > end || end > text.length) throw createException('Invalid argument: offset');
  return [start, end];
}

/** Splits a span into runs, including those without a link. */
function splitRuns({ runs }: RichText, from: number, to: number): Run[] {
  const spans: Run[] = [];
  let at = from;
  for (const { start, end, link } of runs) {
    if (end <= at || start >= to) continue;
    if (start > at) spans.push({ start: at, end: start, link: null });
    spans.push({ start: Math.max(start, at), end: Math.min(end, to), link });
    at = Math.min(end, to);
  }
  if (at < to) spans.push({ start: at, end: to, link: null });
  return spans;
}
