// Which index fields hold URLs, and the form in which the service indexes them: without scheme and `www`.

const URL_FIELD = /(?:^|[._])(?:url|website)s?(?:_|$)/;

const SCHEME = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;

/**
 * Tells whether an index field holds URLs. Their names say so in every family: `websites_main`, `profile_url`.
 * @param path - without `.exact`
 */
export function isUrlField(path: string): boolean {
  return URL_FIELD.test(path);
}

/**
 * Normalises a URL as the service's index does. Contract, "Query DSL": "URLs are indexed without scheme and `www`".
 * The host is lower-cased and one final slash is dropped, so that one address has one form.
 * @param text - a URL or a bare domain, as a record holds it
 * @returns such as `example.com/about`; the text as it is where it is no address
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
