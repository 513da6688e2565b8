// Digests and signatures name their charset: without one, Apps Script encodes texts as US-ASCII and replaces every other
// letter by "?", so that different texts get the same digest.
// https://developers.google.com/apps-script/reference/utilities/utilities#computeDigest(DigestAlgorithm,String)
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../worker/commands/paths.ts';

const MENTION = /\bcompute(?:Digest|\w+Signature)\b/g;
const CALL = /^\w+\((.*)$/s;
const CHARSET = /,\s*Utilities\.Charset\.UTF_8,?\s*$/;

/** Cuts the text before the parenthesis that closes a call's arguments. */
function cutArguments(text: string): string {
  let depth = 0;
  for (const [at, letter] of [...text].entries()) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (depth < 0) return [...text].slice(0, at).join('');
  }
  return text;
}

/** Finds calls without a charset, and other uses of these methods, which could hide such a call. */
function findCallsWithoutCharset(code: string): string[] {
  return [...code.matchAll(MENTION)].flatMap(({ 0: name, index }) => {
    const inside = CALL.exec(code.slice(index))?.[1];
    const isCall = inside !== undefined && code.slice(0, index).endsWith('Utilities.');
    return isCall && CHARSET.test(cutArguments(inside)) ? [] : [name];
  });
}

it.each([
  ['Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, text)', ['computeDigest']],
  [
    'f(Utilities.computeHmacSha256Signature(text, (key)), Utilities.Charset.UTF_8)',
    ['computeHmacSha256Signature'],
  ],
  ['Utilities.computeHmacSignature(A.B, text, key, Utilities.Charset.US_ASCII)', ['computeHmacSignature']],
  ['Utilities.computeRsaSha256Signature(text, key)', ['computeRsaSha256Signature']],
  ['const { computeDigest } = Utilities', ['computeDigest']],
  ['Utilities.computeDigest(A.B, text.join("\\n"), Utilities.Charset.UTF_8)', []],
  ['Utilities.computeDigest(\n  A.B,\n  join(text),\n  Utilities.Charset.UTF_8,\n)', []],
])('judges %s', (code, expected) => {
  expect(findCallsWithoutCharset(code)).toEqual(expected);
});

it('names the charset in every digest and signature of the add-on', () => {
  const files = readdirSync(join(root, 'addon'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith('addon/dev/'));
  const calls = files.map((file) => ({ file, code: readFileSync(join(root, file), 'utf8') }));
  expect(calls.filter(({ code }) => code.search(MENTION) >= 0).map(({ file }) => file)).toContain(
    'addon/client/cache.ts',
  );
  expect(
    calls.flatMap(({ file, code }) => findCallsWithoutCharset(code).map((name) => `${file}: ${name}`)),
  ).toEqual([]);
});
