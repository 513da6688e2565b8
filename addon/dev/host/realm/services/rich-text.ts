// RichTextValue in the realm: texts with links. Text styles are not emulated.
import type { RichText, Run } from '../../sheets/workbook.ts';
import { exception } from '../bridge.ts';
import { emulated, method } from '../emulated.ts';

/** Class name, for parameter lists. */
export const RICH_TEXT = 'SpreadsheetApp.RichTextValue';

const texts = new WeakMap<object, RichText>();

/** Returns a RichTextValue's content; throws for other values. */
export function richTextOf(value: unknown): RichText {
  const text = texts.get(Object(value));
  if (!text) throw exception('Invalid argument: value');
  return text;
}

/** Creates a RichTextValue; null for a cell without text. */
export function richTextValue(value: unknown): object | null {
  if (value === null) return null;
  const { text, runs }: { text?: unknown; runs?: unknown } = Object(value);
  return richTextHandle({ text: String(text), runs: Array.isArray(runs) ? runs : [] }, 0);
}

/** `offset` is the start within the cell's text; 0 unless it is a run. */
function richTextHandle(rich: RichText, offset: number): object {
  const { text } = rich;
  const link = (from: unknown = 0, to: unknown = text.length): string | null => {
    const [start, end] = checked(rich, Number(from), Number(to));
    const links = new Set(stretches(rich, start, end).map((run) => run.link));
    return links.size === 1 ? ([...links][0] ?? null) : null;
  };
  const self = emulated(RICH_TEXT, {
    getText: method(() => text),
    getStartIndex: method(() => offset),
    getEndIndex: method(() => offset + text.length),
    getLinkUrl: method(link, '', 'Integer, Integer'),
    getRuns: method(() =>
      stretches(rich, 0, text.length).map(({ start, end, link: url }) => {
        const part = text.slice(start, end);
        return richTextHandle(
          { text: part, runs: url === null ? [] : [{ start: 0, end: part.length, link: url }] },
          start,
        );
      }),
    ),
    copy: method(() => richTextBuilder(rich)),
  });
  texts.set(self, rich);
  return self;
}

/** Creates the builder of SpreadsheetApp.newRichTextValue(). */
export function richTextBuilder(start: RichText = { text: '', runs: [] }): object {
  let rich = start;
  const setLink = (...args: unknown[]): object => {
    const [from, to, url] = args.length === 1 ? [0, rich.text.length, args[0]] : args;
    const [first, last] = checked(rich, Number(from), Number(to));
    const own: Run = { start: first, end: last, link: url === null ? null : String(url) };
    const runs = [...stretches(rich, 0, first), own, ...stretches(rich, last, rich.text.length)];
    rich = { text: rich.text, runs: runs.filter((run) => run.link !== null && run.start < run.end) };
    return self;
  };
  const self: object = emulated('SpreadsheetApp.RichTextValueBuilder', {
    // Reference "setText": also clears links and styles.
    setText: method((text) => {
      rich = { text: String(text), runs: [] };
      return self;
    }, 'String'),
    setLinkUrl: method(setLink, 'String?', 'Integer, Integer, String?'),
    build: method(() => richTextHandle(rich, 0)),
  });
  return self;
}

function checked({ text }: RichText, start: number, end: number): [number, number] {
  if (start < 0 || start > end || end > text.length) throw exception('Invalid argument: offset');
  return [start, end];
}

/** Splits a span into runs, including those without a link. */
function stretches({ runs }: RichText, from: number, to: number): Run[] {
  const found: Run[] = [];
  let at = from;
  for (const { start, end, link } of runs) {
    if (end <= at || start >= to) continue;
    if (start > at) found.push({ start: at, end: start, link: null });
    found.push({ start: Math.max(start, at), end: Math.min(end, to), link });
    at = Math.min(end, to);
  }
  if (at < to) found.push({ start: at, end: to, link: null });
  return found;
}
