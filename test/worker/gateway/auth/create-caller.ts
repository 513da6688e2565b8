import type { Caller } from '../../../../worker/gateway/auth/tokens.ts';

/** Creates a caller without restrictions. */
export const createCaller = (change: Partial<Caller> = {}): Caller => ({
  tokenId: 'token',
  teamId: 'team',
  personId: null,
  teamName: 'Team',
  scopes: { families: null, operations: null },
  ratePerMinute: 6000,
  expiresAt: null,
  backgroundRefresh: false,
  confirmAboveCredits: 1000,
  formulaMaxCredits: 500,
  erasureVersion: '.',
  ...change,
});
