// Parses the `cache-control` header of a request (RFC 9111, 5.2.1).

/** The supported directives. */
export interface CacheDirectives {
  /** Answers count if they were fetched at this time or later: milliseconds since 1970; 0 accepts any. */
  since: number;
  /** Buy nothing. */
  onlyIfCached: boolean;
}

const MAX_AGE = /^max-age="?(\d{1,10})"?$/;

const NONE: CacheDirectives = { since: 0, onlyIfCached: false };

/**
 * Parses `no-cache`, `max-age=N` and `only-if-cached`; ignores everything else.
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
