// The right to see and change a team's alert addresses. Alerts tell about all families and operations, so a token with any
// restriction has the right only if it is named.

/** Name of the right among the operations of a token. */
export const alertsScope = 'alerts';

/** Checks whether the scopes of a token include alerts. null is no restriction. */
export function permitsAlerts({
  families,
  operations,
}: {
  families: readonly string[] | null;
  operations: readonly string[] | null;
}): boolean {
  return operations === null ? families === null : operations.includes(alertsScope);
}
