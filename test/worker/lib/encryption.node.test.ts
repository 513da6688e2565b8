// Encryption of stored texts: round trip, and refusal of every change.
import { expect, it } from 'vitest';
import { DecryptionError, decrypt, encrypt } from '../../../worker/lib/encryption.ts';

const SECRET = 'a'.repeat(32);
const TEXT = 'https://hooks.example.com/ü';
const PLACE = 'alerts.url team 1';

it.each(['', TEXT, 'x'.repeat(3000)])('decrypts what it has encrypted: %#', async (text) => {
  expect(await decrypt(SECRET, await encrypt(SECRET, text, PLACE), PLACE)).toBe(text);
});

it('encrypts a text differently each time, with its version', async () => {
  const [one, two] = [await encrypt(SECRET, TEXT, PLACE), await encrypt(SECRET, TEXT, PLACE)];
  expect(one).not.toBe(two);
  expect(one).toMatch(/^v1\.[\w-]{60,}$/);
});

it('refuses another secret, another place and another version', async () => {
  const encrypted = await encrypt(SECRET, TEXT, PLACE);
  await expect(decrypt('b'.repeat(32), encrypted, PLACE)).rejects.toThrow(DecryptionError);
  await expect(decrypt(SECRET, encrypted, 'alerts.url team 2')).rejects.toThrow(DecryptionError);
  await expect(decrypt(SECRET, encrypted.replace('v1', 'v2'), PLACE)).rejects.toThrow(DecryptionError);
});

it('refuses a change of each byte', async () => {
  const encrypted = await encrypt(SECRET, TEXT, PLACE);
  for (let at = 'v1.'.length; at < encrypted.length; at += 4) {
    const other = encrypted[at] === 'A' ? 'B' : 'A';
    const changed = encrypted.slice(0, at) + other + encrypted.slice(at + 1);
    await expect(decrypt(SECRET, changed, PLACE)).rejects.toThrow(DecryptionError);
  }
});

it.each(['', 'v1', 'v1.', 'v1.AAAA', 'v1.%', TEXT])('refuses %j', async (text) => {
  await expect(decrypt(SECRET, text, PLACE)).rejects.toThrow(DecryptionError);
});
