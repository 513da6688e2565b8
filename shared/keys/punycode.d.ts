// Types of the entry point in use. The package's own types describe another one.
declare module 'punycode/punycode.es6.js' {
  /** Converts an international domain name to ASCII (RFC 3492). Throws RangeError for invalid names. */
  export function toASCII(domain: string): string;
}
