// Utilities: digests, dates, encodings.
import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Clock, createHost, evaluateCell, evaluateCells, runAsMenu } from './host.ts';

test('computes digests and signatures, with US_ASCII as the default charset', async () => {
  const body = `const hex = (bytes) => bytes.map((byte) => (byte & 255).toString(16).padStart(2, '0')).join('');
    const digest = (...args) => Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, ...args);
    return [digest('ünïcödé €', Utilities.Charset.UTF_8), digest('行业:软件'), digest('行业:银行'),
      Utilities.computeHmacSha256Signature([118], [107]), Utilities.computeHmacSha256Signature('é', 'ü')].map(hex)`;
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');
  const sign = (value: string, key: string) => createHmac('sha256', key).update(value).digest('hex');
  const expected = [sha('ünïcödé €'), sha('??:??'), sha('??:??'), sign('v', 'k'), sign('?', '?')];
  expect((await evaluateCells(body)).flat()).toEqual(expected);
  const [, utf8] = (await evaluateCells(body, { asciiDigests: false })).flat();
  expect(utf8).toBe(sha('行业:软件'));
});

test('encodes web-safe base64', async () => {
  const texts = fc.sample(fc.string({ unit: 'grapheme', maxLength: 40 }), { seed: 7, numRuns: 60 });
  const body = 'return a.map(([text]) => [Utilities.base64EncodeWebSafe(text)])';
  const expected = texts.map((text) => [
    Buffer.from(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
  ]);
  expect(await evaluateCells(body, {}, [texts.map((text) => [text])])).toEqual(expected);
});

test.each([
  ["yyyy-MM-dd'T'HH:mm:ss'Z'", 'GMT', '2026-07-04T21:05:09Z'],
  ['yyyy-MM-dd HH:mm:ss', 'Europe/Berlin', '2026-07-04 23:05:09'],
  ['d/M/yyyy H:mm', 'America/New_York', '4/7/2026 17:05'],
  ['EEE, dd MMM yyyy', 'Asia/Tokyo', 'Sun, 05 Jul 2026'],
  ["EEE MMM 'o''clock'", 'GMT', "Sat Jul o'clock"],
  ['Z', 'Asia/Kolkata', '+0530'],
  ['HH:mm Z', 'GMT-03:30', '17:35 -0330'],
])('formats a date by %s in %s', async (pattern, zone, expected) => {
  const body = `return Utilities.formatDate(new Date(${Date.UTC(2026, 6, 4, 21, 5, 9, 42)}), a, b)`;
  expect(await evaluateCell(body, {}, [zone, pattern])).toBe(expected);
});

test.each([
  ['new Date(0), "Nowhere/Land", "yyyy"', 'Invalid argument: timeZone'],
  ['new Date(NaN), "GMT", "yyyy"', 'Invalid argument: date'],
  ['new Date(0), "GMT", "YYYY"', 'not emulated: Utilities.formatDate with YYYY'],
  ['"2026-01-01", "GMT", "yyyy"', "The parameters (String,String,String) don't match"],
])('rejects formatDate(%s)', async (args, message) => {
  await expect(evaluateCell(`Utilities.formatDate(${args})`)).rejects.toThrow(message);
});

test('sleeps on the host’s clock for at most five minutes', async () => {
  const clock = new Clock();
  const slept = runAsMenu('const from = Date.now(); Utilities.sleep(300000); return Date.now() - from', {
    ...clock.options,
    serviceLatencyMs: 0,
  });
  await clock.waitForTimer(300_000);
  clock.advance(300_000);
  expect(await slept).toBe(300_000);
  await expect(evaluateCell('Utilities.sleep(300001)')).rejects.toThrow('Invalid argument: milliseconds');
});

test('shows the time that calls of services would have taken only until that time has passed', async () => {
  const clock = new Clock();
  const host = createHost(
    'function go() { PropertiesService.getUserProperties().getKeys(); return Date.now() }',
    {
      ...clock.options,
      serviceLatencyMs: 1000,
    },
  );
  const start = clock.time;
  expect([await host.run('go'), await host.run('go')]).toEqual([start + 1000, start + 2000]);
  clock.advance(60_000);
  expect(await host.run('go')).toBe(start + 61_000);
});
