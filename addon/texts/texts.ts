// Texts in the language of the person. The English text is the key of its translation.
import * as format from '../../shared/lib/format-count.ts';
import type { texts as german } from './de/index.ts';

/** A text that every language translates. Compilation fails for a text that German lacks. */
export type Text = keyof typeof german;

/** English texts and their translations. `{name}` is a placeholder. */
export type Texts = Readonly<Record<string, string>>;

export interface Language {
  /** BCP 47, such as `de-CH`: the format of numbers and dates. */
  locale: string;
  /** Empty for English. */
  texts: Texts;
}

/** For cells, which people with different languages share. Its dates are not mistaken for American ones. */
export const english: Language = { locale: 'en-GB', texts: {} };

let read = (): Language => english;
let language: Language | undefined;

/** Sets the language of this page or execution. @param load - called before the first text */
export function setLanguage(load: () => Language): void {
  read = load;
  language = undefined;
}

/** Returns the language of this page or execution. */
export function getLanguage(): Language {
  language ??= read();
  return language;
}

/** The names of the placeholders in a text. */
type Placeholders<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Values<T extends string> = [Placeholders<T>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholders<T>, string | number>>];

/** Translates a text that is not known here, such as a label; it stays English if there is no translation. */
export const translate = (text: string): string => getLanguage().texts[text] ?? text;

/** Returns a text in the person's language. Numbers are formatted. */
export function t<T extends Text>(text: T, ...[values]: Values<T>): string {
  const all: Readonly<Record<string, string | number>> = values ?? {};
  return translate(text).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = all[name] ?? '';
    return typeof value === 'number' ? formatNumber(value) : value;
  });
}

/** `1240` → `1,240`, in German `1.240`. */
export const formatNumber = (number: number): string => format.formatNumber(number, getLanguage().locale);

/** Chooses the form of a word and translates it: `row` for 1, else `rows`. */
export const plural = (...count: Parameters<typeof format.plural>): string =>
  translate(format.plural(...count));

/** `1 row`, `1,240 rows`. */
export const formatCount = (...count: Parameters<typeof format.plural>): string =>
  `${formatNumber(count[0])} ${plural(...count)}`;

/** Translates the labels of options. */
export const translateLabels = <T extends { label: string }>(options: readonly T[]): T[] =>
  options.map((option) => ({ ...option, label: translate(option.label) }));

/** A label inside a sentence. German nouns keep their capitals. @param convert - for other languages */
export const toInline = (
  label: string,
  convert = (english: string): string => english.toLowerCase(),
): string => (getLanguage().locale.startsWith('de') ? label : convert(label));

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Characters besides its placeholders that a text needs, so that it matches no other sentence by accident. */
const MIN_FIXED = 12;

/**
 * Translates a sentence that was composed elsewhere, such as by the gateway.
 * @returns undefined if there is no translation
 */
export function translateMessage(message: string): string | undefined {
  const { texts } = getLanguage();
  if (Object.keys(texts).length === 0 || texts[message] !== undefined) return texts[message] ?? message;
  for (const [english, translation] of Object.entries(texts)) {
    const names = english.match(/\{\w+\}/g);
    const fixed = english.replace(/\{\w+\}/g, '');
    if (names === null || english.startsWith('{') || fixed.length < MIN_FIXED) continue;
    const pattern = english
      .split(/\{\w+\}/)
      .map(escapeRegExp)
      .join('(.+)');
    const values = new RegExp(`^${pattern}$`, 's').exec(message)?.slice(1);
    if (values !== undefined)
      return names.reduce((text, name, at) => text.replace(name, () => values[at] ?? ''), translation);
  }
  return undefined;
}
