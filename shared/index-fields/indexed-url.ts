// Index fields that hold URLs, and the form in which the service indexes URLs: without scheme and `www`.

const URL_FIELD = /(?:^|[._])(?:url|website)s?(?:_|$)/;

const SCHEME = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;

/**
 * Checks by its name whether an index field holds URLs: `websites_main`, `profile_url`.
 * @param path - without `.exact`
 */
export function isUrlField(path: string): boolean {
  return URL_FIELD.test(path);
}

/**
 * Normalises a URL as the service's index does. Contract, "Query DSL": "URLs are indexed without scheme and `www`". The
 * host is lower-cased and a final slash is dropped.
 * @returns such as `example.com/about`, or the unchanged text if it has no host
 */
export function toIndexedUrl(text: string): string {
  const address = text.trim().replace(SCHEME, '');
  const pathAt = address.search(/[/?#]/);
  const host = pathAt < 0 ? address : address.slice(0, pathAt);
  if (!host.includes('.') || /\s/.test(host)) return text;
  const bareHost = host.toLowerCase().replace(/^www\.(?=[^.]+\.)/, '');
  const path = address.slice(host.length);
  return bareHost + (path.endsWith('/') ? path.slice(0, -1) : path);
}

const URL_OR_HOST =
  /^\s*(?:(?:[a-z][a-z0-9+.-]*:)?\/\/)?(?:[^\s/?#@]*@)?([^\s/?#:@\\]+)(?::\d*)?(?:[/?#]|\s*$)/i;

/** Maximum length of a DNS name (RFC 1035). */
const MAX_HOST = 253;

/**
 * Extracts the host as it is indexed: lower case, without `www.` and a trailing dot. The provider documents the
 * sub-field but not its format, which was observed on the service.
 * @returns such as `example.com`, or undefined if the text has no host; nothing is indexed then
 */
export function extractDomain(address: string): string | undefined {
  const host = URL_OR_HOST.exec(address.slice(0, 2048))?.[1]
    ?.toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\.(?=[^.]+\.)/, '');
  if (host === undefined || host.length > MAX_HOST || host.includes('..')) return undefined;
  return host.includes('.') ? host : undefined;
}
