// The one function that is used of the package, whose own types name another entry.
declare module 'punycode/punycode.es6.js' {
  /** Converts an international domain name to ASCII (RFC 3492). Throws RangeError where it can't be. */
  export function toASCII(domain: string): string;
}
