// Bodies in every encoding, for the tests of the drop-in API.

/** How the bytes of a body are made. */
export interface Encoding {
  name: string;
  encode: (text: string) => Uint8Array<ArrayBuffer>;
  /** Parameter of Content-Type; absent: none. */
  charset?: string;
  /** Text in it is understood. */
  isValid: boolean;
}

type Encoder = Encoding['encode'];

/** Replaced by the bytes under test. */
const MARK = 'ü';

const utf8: Encoder = (text) => Uint8Array.from(new TextEncoder().encode(text));

/** Encodes each character of one byte; `€` has one in Windows-1252 only. */
const singleBytes: Encoder = (text) =>
  Uint8Array.from(text, (character) => (character === '€' ? 0x80 : character.charCodeAt(0)));

const utf16 =
  (littleEndian: boolean, hasMark = false): Encoder =>
  (text) => {
    const units = hasMark ? `\ufeff${text}` : text;
    const view = new DataView(new ArrayBuffer(units.length * 2));
    for (let at = 0; at < units.length; at += 1) view.setUint16(at * 2, units.charCodeAt(at), littleEndian);
    return new Uint8Array(view.buffer);
  };

const concat = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

/** Writes raw bytes in place of the mark. */
const broken =
  (...bytes: number[]): Encoder =>
  (text) =>
    concat(
      ...text
        .split(MARK)
        .flatMap((part, at) => (at === 0 ? [utf8(part)] : [Uint8Array.from(bytes), utf8(part)])),
    );

const withMark: Encoder = (text) => utf8(`\ufeff${text}`);
const withLoneSurrogate: Encoder = (text) => utf16(true)(text.replaceAll(MARK, '\ud800'));
const withHalfCharacter: Encoder = (text) => concat(utf16(true)(text), Uint8Array.of(0x20));

const rows: [name: string, encode: Encoder, charset: string | undefined, isValid: boolean][] = [
  ['UTF-8', utf8, undefined, true],
  ['UTF-8', utf8, 'utf-8', true],
  ['UTF-8', utf8, '"UTF8"', true],
  ['UTF-8 with a byte order mark', withMark, undefined, true],
  ['UTF-8 with a byte order mark', withMark, 'UTF-8', true],
  ['Latin-1', singleBytes, 'iso-8859-1', true],
  ['Windows-1252', singleBytes, 'windows-1252', true],
  ['UTF-16LE', utf16(true), 'utf-16le', true],
  ['UTF-16LE with a byte order mark', utf16(true, true), 'utf-16', true],
  ['UTF-16BE', utf16(false), 'utf-16be', true],
  ['UTF-16BE with a byte order mark', utf16(false, true), 'UTF-16', true],
  ['Latin-1', singleBytes, undefined, false],
  ['Latin-1', singleBytes, 'utf-8', false],
  ['Windows-1252', (text) => singleBytes(text.replaceAll(MARK, '€')), undefined, false],
  ['UTF-16LE', utf16(true), undefined, false],
  ['UTF-16LE with a byte order mark', utf16(true, true), undefined, false],
  ['UTF-16BE', utf16(false), undefined, false],
  ['UTF-16BE with a byte order mark', utf16(false, true), 'utf-8', false],
  ['UTF-16 with a lone surrogate', withLoneSurrogate, 'utf-16le', false],
  ['UTF-16 with half a character', withHalfCharacter, 'utf-16le', false],
  ['a truncated sequence of two bytes', broken(0xc3), undefined, false],
  ['a truncated sequence of three bytes', broken(0xe2, 0x82), undefined, false],
  ['a truncated sequence of four bytes', broken(0xf0, 0x9f, 0x98), undefined, false],
  ['a continuation alone', broken(0x80), undefined, false],
  ['an overlong slash', broken(0xc0, 0xaf), undefined, false],
  ['an overlong letter', broken(0xe0, 0x81, 0x81), undefined, false],
  ['a surrogate', broken(0xed, 0xa0, 0x80), undefined, false],
  ['a pair of surrogates', broken(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80), undefined, false],
  ['a code point beyond the last', broken(0xf4, 0x90, 0x80, 0x80), undefined, false],
  ['a byte that UTF-8 never has', broken(0xff), undefined, false],
  ['ASCII of a charset that nobody knows', utf8, 'x-nobody', false],
  ['ASCII of the charset UTF-7', utf8, 'utf-7', false],
  ['ASCII of an empty charset', utf8, '""', false],
];

export const encodings: readonly Encoding[] = rows.map(([name, encode, charset, isValid]) => ({
  name: charset === undefined ? name : `${name}, charset=${charset}`,
  encode,
  isValid,
  ...(charset === undefined ? {} : { charset }),
}));
