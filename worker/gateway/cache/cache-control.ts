// What a caller's `cache-control` asks of memory (RFC 9111, 5.2.1).

/** The wishes that are honoured. */
export interface CacheDirectives {
  /** Answers count if they were fetched at this time or later: milliseconds since 1970; 0 takes any. */
  since: number;
  /** Nothing is to be bought. */
  onlyIfCached: boolean;
}

const MAX_AGE = /^max-age="?(\d{1,10})"?$/;

const NONE: CacheDirectives = { since: 0, onlyIfCached: false };

/**
 * Reads `no-cache`, `max-age=N` and `only-if-cached`; anything else changes nothing.
 * @param header - of the request; null where it has none
 * @param now - milliseconds since 1970
 */
export function parseCacheControl(header: string | null, now: number): CacheDirectives {
  if (header === null) return NONE;
  const directives = header.split(',').map((part) => part.trim().toLowerCase());
  const maxAge = directives.map((part) => MAX_AGE.exec(part)?.[1]).find((seconds) => seconds !== undefined);
  const noCache = directives.includes('no-cache');
  return {
    since: noCache ? now : maxAge === undefined ? 0 : now - Number(maxAge) * 1000,
    onlyIfCached: directives.includes('only-if-cached'),
  };
}
