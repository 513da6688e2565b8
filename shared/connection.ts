// Connection links: the gateway's URL, with a team token in the fragment.
import { isWellFormedToken } from './tokens.ts';

/** The gateway's URL and a team token. */
export interface Connection {
  /** Origin of the gateway, without a trailing slash. */
  url: string;
  token: string;
}

/** Name of the document property that stores a spreadsheet's connection as JSON. */
export const connectionProperty = 'CDAPI_CONNECTION';

/** Name of the script property that holds the company's connection link. */
export const companyProperty = 'CDAPI_COMPANY_LINK';

/** Name of the script property with the company's domains. Formulas in spreadsheets of their people need no approval. */
export const companyDomainProperty = 'CDAPI_COMPANY_DOMAIN';

/** Name of the script property that says whether formulas of a spreadsheet may use the company's connection. */
export const companyFormulasProperty = (spreadsheetId: string): string => `CDAPI_FORMULAS:${spreadsheetId}`;

/** The server at this origin receives the token: http is only allowed on the same machine. */
const ORIGIN =
  /https:\/\/(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d+)?|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?/;
const LINK = new RegExp(`^(${ORIGIN.source})/connect/?#(\\S+)$`);

/** Formats the connection link that an admin gives to a team member. */
export function formatConnectionLink({ url, token }: Connection): string {
  return `${url}/connect#${token}`;
}

/**
 * Parses a pasted connection link.
 * @returns undefined if the text is not a connection link, its origin is not allowed or its token is damaged
 */
export function parseConnectionLink(text: string): Connection | undefined {
  const [, url, token] = LINK.exec(text.trim()) ?? [];
  return url !== undefined && token !== undefined && isWellFormedToken(token) ? { url, token } : undefined;
}
