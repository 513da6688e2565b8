// The link by which a spreadsheet is connected: a gateway's address and a team token behind the #.
import { isWellFormedToken } from './tokens.ts';

/** Where the gateway is, and what opens it. */
export interface Connection {
  /** The gateway's origin, without a slash at its end. */
  url: string;
  token: string;
}

/** The document property of a spreadsheet that holds its connection as JSON. */
export const connectionProperty = 'CDAPI_CONNECTION';

/** Anywhere by https, and by http on the same machine only: whoever stands at this address gets the token. */
const ORIGIN =
  /https:\/\/(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d+)?|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?/;
const LINK = new RegExp(`^(${ORIGIN.source})/connect/?#(\\S+)$`);

/**
 * Makes the link that an admin hands to a seller.
 */
export function formatConnectionLink({ url, token }: Connection): string {
  return `${url}/connect#${token}`;
}

/**
 * Reads a pasted link.
 * @returns undefined where the text is no connection link, where it leads to an address that a token must not be sent to,
 * and where its token was cut or mistyped
 */
export function parseConnectionLink(text: string): Connection | undefined {
  const [, url, token] = LINK.exec(text.trim()) ?? [];
  return url !== undefined && token !== undefined && isWellFormedToken(token) ? { url, token } : undefined;
}
