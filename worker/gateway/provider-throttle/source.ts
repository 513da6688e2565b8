// The sources of calls: a team and a purpose. The throttle judges the evidence of each source separately.

/** `search`: free searches. `purchase`: calls that buy or deliver records. */
export type Purpose = 'search' | 'purchase';

/** Who sends a call, and what for. */
export interface CallSource {
  /** Id of the team that the call is for. */
  readonly team: string;
  readonly purpose: Purpose;
}

/** Returns the purpose of a call by its price in credits. */
export function getPurpose(credits: number): Purpose {
  return credits === 0 ? 'search' : 'purchase';
}

/** Returns a text that identifies a source. */
export function getSourceKey({ team, purpose }: CallSource): string {
  return `${purpose}:${team}`;
}
