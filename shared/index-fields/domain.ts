// Takes the host out of an address, for the index variant `.domain_only`.

const URL_OR_HOST =
  /^\s*(?:(?:[a-z][a-z0-9+.-]*:)?\/\/)?(?:[^\s/?#@]*@)?([^\s/?#:@\\]+)(?::\d*)?(?:[/?#]|\s*$)/i;

/** The longest name that DNS knows (RFC 1035). */
const MAX_HOST = 253;

/**
 * The host of an address, as it is indexed: small letters, without `www.` and a dot at its end. The provider says
 * only that there is such a variant; that URLs are indexed without scheme and `www` was seen on its service.
 * @param address - a URL or a bare domain, as a record holds it
 * @returns such as `example.com`; undefined where the text is no address, and then nothing is indexed
 */
export function extractDomain(address: string): string | undefined {
  const host = URL_OR_HOST.exec(address.slice(0, 2048))?.[1]
    ?.toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\.(?=[^.]+\.)/, '');
  if (host === undefined || host.length > MAX_HOST || host.includes('..')) return undefined;
  return host.includes('.') ? host : undefined;
}
