// Session data that the running instance sends to the page.
import { playgroundNonceHeader } from '../../../shared/playground.ts';

export interface Session {
  /** The instance's address, for formulas. */
  url: string;
  team_token: string;
  /** true: the built-in fictional records. */
  sandbox: boolean;
  records: number;
  /** Websites with records. */
  examples: string[];
  /** Ids of posts, which cannot be searched. */
  posts: string[];
}

/** Returns whether the prepared workbook may look up records: they exist and are free. */
export function hasFreeExamples({ sandbox, examples }: Session): boolean {
  return sandbox && examples.length > 0;
}

const START_HINT = 'Run npm start and open the address that it prints.';

/** Where a reload finds the nonce. */
const NONCE_KEY = 'playground_nonce';

/** Reads the nonce from the page's address, and removes it there; after a reload from the tab's storage. */
function takeNonce(): string {
  const nonce = location.hash.slice(1);
  if (nonce === '') return sessionStorage.getItem(NONCE_KEY) ?? '';
  sessionStorage.setItem(NONCE_KEY, nonce);
  history.replaceState(history.state, '', location.pathname + location.search);
  return nonce;
}

/**
 * Fetches the session from the instance.
 * @returns the session, or a message for the user
 */
export async function openSession(): Promise<Session | { problem: string }> {
  const headers = { [playgroundNonceHeader]: takeNonce() };
  // The printed address, pasted into this tab, differs only in its fragment: the browser would not load it.
  addEventListener('hashchange', () => location.reload());
  const response = await fetch('/playground/session', { headers }).catch(() => undefined);
  if (response?.status === 401) return { problem: 'Not connected. Open the address that npm start printed.' };
  if (response === undefined) return { problem: `Not connected: the gateway doesn’t answer. ${START_HINT}` };
  if (!response.ok)
    return { problem: `Not connected: the gateway answered with status ${response.status}. ${START_HINT}` };
  const body: unknown = await response.json().catch(() => undefined);
  return (
    readSession(body) ?? {
      problem: `Not connected: the page couldn’t read the gateway’s answer. ${START_HINT}`,
    }
  );
}

/**
 * Signs the browser in to the admin console.
 * @returns whether it succeeded
 */
export async function signInToConsole(): Promise<boolean> {
  const headers = { [playgroundNonceHeader]: sessionStorage.getItem(NONCE_KEY) ?? '' };
  const response = await fetch('/playground/console', { method: 'POST', headers }).catch(() => undefined);
  return response?.ok === true;
}

function readSession(body: unknown): Session | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { url, team_token, sandbox, records, examples, posts }: Partial<Record<keyof Session, unknown>> =
    body;
  if (typeof url !== 'string' || typeof team_token !== 'string' || typeof sandbox !== 'boolean')
    return undefined;
  return {
    url,
    team_token,
    sandbox,
    records: typeof records === 'number' ? records : 0,
    examples: readStrings(examples),
    posts: readStrings(posts),
  };
}

function readStrings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
