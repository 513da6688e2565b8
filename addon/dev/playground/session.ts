// What the running instance tells the page when it opens.

export interface Session {
  /** The instance's own address, as formulas call it. */
  url: string;
  team_token: string;
  /** True where the records are the built-in fictional ones. */
  embedded: boolean;
  records: number;
  /** Websites that there are records of. */
  examples: string[];
  /** Ids of posts that there are, which can't be searched for. */
  posts: string[];
}

/** Are there records, and do they cost no money? Then the ready workbook may ask for some. */
export function asksForFree({ embedded, examples }: Session): boolean {
  return embedded && examples.length > 0;
}

const START = 'Run npm start and open the address that it prints.';

/**
 * Asks the instance that serves this page who to be.
 * @returns the session, or a sentence for the person
 */
export async function openSession(): Promise<Session | { problem: string }> {
  const response = await fetch('/playground/session').catch(() => undefined);
  if (response === undefined) return { problem: `Not connected: the gateway doesn’t answer. ${START}` };
  if (!response.ok)
    return { problem: `Not connected: the gateway answered with status ${response.status}. ${START}` };
  const body: unknown = await response.json().catch(() => undefined);
  return (
    readSession(body) ?? { problem: `Not connected: the page couldn’t read the gateway’s answer. ${START}` }
  );
}

function readSession(body: unknown): Session | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { url, team_token, embedded, records, examples, posts }: Partial<Record<keyof Session, unknown>> =
    body;
  if (typeof url !== 'string' || typeof team_token !== 'string' || typeof embedded !== 'boolean')
    return undefined;
  return {
    url,
    team_token,
    embedded,
    records: typeof records === 'number' ? records : 0,
    examples: textsIn(examples),
    posts: textsIn(posts),
  };
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
