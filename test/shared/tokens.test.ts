// Tokens and connection links: generation and validation.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatConnectionLink, parseConnectionLink } from '../../shared/connection.ts';
import { containsToken, generateToken, isWellFormedToken } from '../../shared/tokens.ts';

const bytes = (length: number): Uint8Array => randomBytes(length);

describe('a token', () => {
  it('is well-formed and unique', () => {
    const tokens = Array.from({ length: 100 }, () => generateToken(bytes));
    expect(tokens.every((token) => isWellFormedToken(token))).toBe(true);
    expect(new Set(tokens).size).toBe(100);
  });

  it('depends only on the random source and skips biased bytes', () => {
    const skipped = [248, 249, 255];
    const used = [0, 9, 10, 35, 36, 61, 62, 247];
    const source = (length: number): Uint8Array =>
      Uint8Array.from({ length }, (_, at) => [...skipped, ...used][at % 11] ?? 0);
    // The first 32 bytes give 23 characters, the second batch restarts; the last six are the checksum.
    expect(generateToken(source)).toBe('cds_09AZaz0z09AZaz0z09AZaz009AZaz0z049Wks7');
  });

  it('of an admin is none of a team', () => {
    const token = generateToken(bytes, 'admin');
    expect([isWellFormedToken(token, 'admin'), isWellFormedToken(token)]).toEqual([true, false]);
    expect(isWellFormedToken(generateToken(bytes), 'admin')).toBe(false);
    expect(containsToken(`Bearer ${token}`)).toBe(true);
  });

  it('is rejected after any single change', () => {
    const token = generateToken(bytes);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'0Az-_é '), (at, letter) => {
        fc.pre(token.charAt(at) !== letter);
        expect(isWellFormedToken(token.slice(0, at) + letter + token.slice(at + 1))).toBe(false);
      }),
    );
  });

  it.each(['', 'cds_', 'Bearer', 'x'.repeat(42)])('%j is rejected', (text) =>
    expect(isWellFormedToken(text)).toBe(false),
  );
});

describe('a connection link', () => {
  const connection = { url: 'https://data.acme.example', token: generateToken(bytes) };

  it('is parsed to its connection', () => {
    expect(parseConnectionLink(` ${formatConnectionLink(connection)}\n`)).toEqual(connection);
  });

  it.each([
    ['nothing', ''],
    ['an address alone', 'https://data.acme.example/connect'],
    ['another path', `https://data.acme.example/x#${connection.token}`],
    ['a cut token', formatConnectionLink(connection).slice(0, -1)],
    ['no http', `javascript://x/connect#${connection.token}`],
  ])('is rejected when it is %s', (_, text) => expect(parseConnectionLink(text)).toBeUndefined());

  it.each([
    'https://data.acme.example:8443',
    'https://[2001:db8::1]',
    'http://localhost:8787',
    'http://127.0.0.1',
    'http://[::1]:8787',
  ])('accepts %s', (url) => {
    expect(parseConnectionLink(`${url}/connect#${connection.token}`)).toEqual({ ...connection, url });
  });

  it.each([
    'http://data.acme.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://localhost:8787.evil.example',
    'http://localhost@evil.example',
    'http://127.0.0.1:8787@evil.example',
    'https://data.acme.example@evil.example',
    'https://user:word@evil.example',
    'https://evil.example\\.acme.example',
    'https://data.acme.example/evil',
    'https://data.acme.example?evil',
    'https://',
    'ftp://data.acme.example',
  ])('rejects %s, which would receive the token', (url) => {
    expect(parseConnectionLink(`${url}/connect#${connection.token}`)).toBeUndefined();
  });
});
