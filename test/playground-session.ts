// Reads what an instance sends to the playground's page.
import { playgroundNonceHeader } from '../shared/playground.ts';
import type { Session } from '../worker/commands/instance/session.ts';

/** The parts of the page's session that tests read. */
interface PlaygroundSession {
  sandbox: boolean;
  /** Websites of sample companies. */
  examples: string[];
}

/** Fetches the session of the playground's page, as a page that was opened from the printed address. */
export async function readPlaygroundSession({
  url,
  playground_nonce: nonce,
}: Session): Promise<PlaygroundSession> {
  const response = await fetch(`${url}/playground/session`, { headers: { [playgroundNonceHeader]: nonce } });
  return (await response.json()) as PlaygroundSession;
}
