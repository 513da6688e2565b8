// Validates webhook URLs: public https addresses, and optionally this machine.

const MAX_LENGTH = 2048;

/**
 * Top-level domains that public DNS does not have: special-use names (IANA's registry; RFC 6761, 6762, 7686, 9476), names that
 * ICANN never delegates because private networks use them, and defaults of routers and operating systems.
 */
const PRIVATE_SUFFIXES: ReadonlySet<string> = new Set([
  ...['localhost', 'local', 'internal', 'test', 'invalid', 'onion', 'alt', 'arpa'],
  ...[
    'home',
    'corp',
    'mail',
    'lan',
    'intranet',
    'private',
    'localdomain',
    'domain',
    'workgroup',
    'router',
    'gateway',
  ],
]);

/** First address and prefix length of each block that is not public. IANA's special-purpose registries. */
const PRIVATE_IPV4_BLOCKS: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Parses an address as a 32-bit number. */
function parseIpv4(text: string): number {
  return text.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
}

function isPublicIpv4(address: number): boolean {
  return PRIVATE_IPV4_BLOCKS.every(([first, length]) => {
    const size = 2 ** (32 - length);
    return Math.floor(address / size) !== Math.floor(parseIpv4(first) / size);
  });
}

/** Parses the eight groups of an address that URL has normalised. */
function parseIpv6(text: string): number[] {
  const [left = [], right] = text.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const tail = right ?? [];
  const zeros = Array.from({ length: 8 - left.length - tail.length }, () => '0');
  return [...left, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

/** Only global unicast (2000::/3) is public, except addresses that embed a private IPv4 address. */
function isPublicIpv6(groups: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const zeros = a === 0 && b === 0 && c === 0 && d === 0 && e === 0;
  // IPv4-mapped and IPv4-embedded addresses (RFC 4291, 6052).
  if (zeros && f === 0xffff) return isPublicIpv4(g * 65_536 + h);
  if (a === 0x64 && b === 0xff9b && c === 0 && d === 0 && e === 0 && f === 0)
    return isPublicIpv4(g * 65_536 + h);
  if (a === 0x2002) return isPublicIpv4(b * 65_536 + c);
  // 2001::/23 is for protocols, 2001:db8::/32 and 3fff::/20 for documentation.
  if (a === 0x2001 && (b < 0x200 || b === 0xdb8)) return false;
  if (a === 0x3fff && b < 0x1000) return false;
  return a >= 0x2000 && a <= 0x3fff;
}

function isLoopback(host: string): boolean {
  return (
    host === '[::1]' ||
    host === 'localhost' ||
    /[^.]\.localhost$/.test(host) ||
    /^127(?:\.\d+){3}$/.test(host)
  );
}

function isPublic(host: string): boolean {
  if (host.startsWith('[')) return isPublicIpv6(parseIpv6(host.slice(1, -1)));
  if (/^\d+(?:\.\d+){3}$/.test(host)) return isPublicIpv4(parseIpv4(host));
  const labels = host.split('.');
  return labels.length > 1 && !labels.includes('') && !PRIVATE_SUFFIXES.has(labels.at(-1) ?? '');
}

/**
 * Validates a webhook URL. It does not resolve host names.
 * @param loopback - allows this machine, also by http
 * @returns the normalised URL; undefined if it is invalid, has credentials, or is not allowed
 */
export function parseWebhookAddress(text: string, loopback: boolean): string | undefined {
  const url = text.length > MAX_LENGTH ? null : URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  const host = url.hostname.replace(/\.$/, '');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  const isAllowed = (loopback && isLoopback(host)) || (url.protocol === 'https:' && isPublic(host));
  if (!isAllowed) return undefined;
  url.hash = '';
  return url.href;
}
