// Extracts the host of a URL for the sub-field `.domain_only`.

const URL_OR_HOST =
  /^\s*(?:(?:[a-z][a-z0-9+.-]*:)?\/\/)?(?:[^\s/?#@]*@)?([^\s/?#:@\\]+)(?::\d*)?(?:[/?#]|\s*$)/i;

/** Maximum length of a DNS name (RFC 1035). */
const MAX_HOST = 253;

/**
 * Extracts the host as it is indexed: lower case, without `www.` and a trailing dot. The provider documents the
 * sub-field but not its format, which was observed on the service.
 * @param address - a URL or a bare domain
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
