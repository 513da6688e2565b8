// Tokens of teams and admins: a prefix that secret scanners recognise, 32 random characters, and a checksum of 6.

const prefixes = { team: 'cds_', admin: 'cda_' } as const;

type TokenKind = keyof typeof prefixes;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const TOKEN = new RegExp(
  `(?:${Object.values(prefixes).join('|')})[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}`,
);
const FORM = new RegExp(`^${TOKEN.source}$`);

/** Computes the CRC-32 (ISO 3309, reflected) of an ASCII text, as an unsigned integer. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function checksum(text: string): string {
  let remaining = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET.charAt(remaining % ALPHABET.length) + digits;
    remaining = Math.floor(remaining / ALPHABET.length);
  }
  return digits;
}

/**
 * Generates a token with 190 bits of entropy.
 * @param randomBytes - a cryptographic random source
 */
export function generateToken(randomBytes: (length: number) => Uint8Array, kind: TokenKind = 'team'): string {
  let random = '';
  while (random.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      // 248 is the largest multiple of 62 in a byte. Higher values would bias the distribution.
      if (byte < 248 && random.length < RANDOM_LENGTH) random += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return prefixes[kind] + random + checksum(random);
}

/** Checks whether a text contains a token, also a mistyped one. */
export function containsToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Checks the format and checksum of a token, so that a mistyped token is rejected without a database query. */
export function isWellFormedToken(text: string, kind: TokenKind = 'team'): boolean {
  const prefix = prefixes[kind];
  if (!text.startsWith(prefix) || !FORM.test(text)) return false;
  const random = text.slice(prefix.length, prefix.length + RANDOM_LENGTH);
  return text.endsWith(checksum(random));
}
