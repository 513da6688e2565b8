// Utilities: digests, dates, encodings.
import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Clock, cell, cells, click } from './host.ts';

const hex = `const hex = (bytes) => bytes.map((byte) => (byte & 255).toString(16).padStart(2, '0')).join('');`;
const TEXTS = ['', 'abc', 'ünïcödé €', 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(64), 'y'.repeat(1000)];

test.each([
  ['MD5', 'md5'],
  ['SHA_1', 'sha1'],
  ['SHA_256', 'sha256'],
  ['SHA_512', 'sha512'],
])('computeDigest knows %s', async (name, known) => {
  const body = `${hex} return a.map(([text]) => hex(Utilities.computeDigest(Utilities.DigestAlgorithm.${name}, text, Utilities.Charset.UTF_8)))`;
  const digests = await cells(body, {}, [TEXTS.map((text) => [text])]);
  expect(digests.flat()).toEqual(TEXTS.map((text) => createHash(known).update(text).digest('hex')));
});

test('computeHmacSha256Signature signs texts and bytes', async () => {
  const body = `${hex} return [Utilities.computeHmacSha256Signature('value', 'key'), Utilities.computeHmacSha256Signature([118], [107])].map(hex)`;
  const sign = (value: string, key: string) => createHmac('sha256', key).update(value).digest('hex');
  expect((await cells(body)).flat()).toEqual([sign('value', 'key'), sign('v', 'k')]);
});

test('digests and signatures without a charset take US_ASCII, in which Chinese texts of the same length are one', async () => {
  const body = `${hex} const sha = (text) => Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, text);
    return [sha('行业:软件'), sha('行业:银行'), Utilities.computeHmacSha256Signature('é', 'ü')].map(hex)`;
  const [one, other, signature] = (await cells(body)).flat();
  expect(one).toBe(createHash('sha256').update('??:??').digest('hex'));
  expect(other).toBe(one);
  expect(signature).toBe(createHmac('sha256', '?').update('?').digest('hex'));
});

test('base64 of any text reads back, in both alphabets', async () => {
  const texts = fc.sample(fc.string({ unit: 'grapheme', maxLength: 40 }), { seed: 7, numRuns: 60 });
  const body = `return a.map(([text]) => [Utilities.base64Encode(text), Utilities.base64EncodeWebSafe(text),
    Utilities.newBlob(Utilities.base64DecodeWebSafe(Utilities.base64EncodeWebSafe(text))).getDataAsString()])`;
  const expected = texts.map((text) => {
    const plain = Buffer.from(text).toString('base64');
    return [plain, plain.replaceAll('+', '-').replaceAll('/', '_'), text];
  });
  expect(await cells(body, {}, [texts.map((text) => [text])])).toEqual(expected);
});

test.each([
  ["yyyy-MM-dd'T'HH:mm:ss'Z'", 'GMT', '2026-07-04T21:05:09Z'],
  ['yyyy-MM-dd HH:mm:ss.SSS', 'Europe/Berlin', '2026-07-04 23:05:09.042'],
  ['d/M/yy h:mm a', 'America/New_York', '4/7/26 5:05 PM'],
  ['EEE, dd MMM yyyy', 'Asia/Tokyo', 'Sun, 05 Jul 2026'],
  ['h a', 'GMT-09:00', '12 PM'],
  ["EEEE MMMM 'o''clock'", 'GMT', "Saturday July o'clock"],
  ['Z X XXX z', 'Asia/Kolkata', '+0530 +05 +05:30 GMT+05:30'],
  ['HH:mm X', 'GMT-03:30', '17:35 -03'],
])('formatDate with %s in %s', async (pattern, zone, expected) => {
  const body = `return Utilities.formatDate(new Date(${Date.UTC(2026, 6, 4, 21, 5, 9, 42)}), a, b)`;
  expect(await cell(body, {}, [zone, pattern])).toBe(expected);
});

test.each([
  ['new Date(0), "Nowhere/Land", "yyyy"', 'Invalid argument: timeZone'],
  ['new Date(NaN), "GMT", "yyyy"', 'Invalid argument: date'],
  ['new Date(0), "GMT", "YYYY"', 'not emulated: Utilities.formatDate with YYYY'],
  [
    '"2026-01-01", "GMT", "yyyy"',
    "The parameters (String,String,String) don't match the method signature for Utilities.formatDate.",
  ],
])('formatDate(%s) is refused', async (args, words) => {
  await expect(cell(`Utilities.formatDate(${args})`)).rejects.toThrow(words);
});

test('sleep waits on the host’s clock, for at most five minutes', async () => {
  const clock = new Clock();
  const slept = click(
    'const from = Date.now(); Utilities.sleep(300000); return Date.now() - from',
    clock.options,
  );
  await clock.waitedFor(300_000);
  clock.pass(300_000);
  expect(await slept).toBe(300_000);
  await expect(cell('Utilities.sleep(300001)')).rejects.toThrow('Invalid argument: milliseconds');
});
