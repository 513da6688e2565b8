// The ledger of a team that does not exist: the team was deleted, or never created. It grants nothing and stores nothing.
import { logError } from '../../http/log.ts';
import type { TeamLedger } from './ledger.ts';
import type { Budget, TokenBudget } from './types.ts';

const none = { day: 0, month: 0 };

const budget: Budget = {
  caps: none,
  spending: false,
  spent: none,
  held: 0,
  topUp: 0,
  unclear: 0,
  disputed: 0,
  saved: none,
  remaining: 0,
};
const tokenBudget: TokenBudget = { caps: none, spent: none };

/** What calls of a ledger get that do not open it; see `LedgerObject`. */
type AbsentLedger = Pick<
  TeamLedger,
  | 'hasWaiters'
  | 'reserveMany'
  | 'settleMany'
  | 'reconcile'
  | 'listUnclear'
  | 'listDisputed'
  | 'settleDispute'
  | 'getBudget'
  | 'countRecords'
  | 'getTokenBudget'
  | 'getMonthSpending'
  | 'listEntries'
  | 'readEntryPage'
  | 'listTopUps'
  | 'listEntriesBySubject'
  | 'listArchivedSums'
  | 'lease'
  | 'recordUsage'
  | 'close'
  | 'recoverFromRestore'
>;

export const absentLedger: AbsentLedger = {
  hasWaiters: false,
  reserveMany: async (reservations) => ({
    outcomes: reservations.map(() => 'unauthorised'),
    remaining: 0,
  }),
  settleMany: (settlements) => {
    for (const { id, charged } of settlements)
      if (charged !== 0) logError('unknown_settlement', undefined, { reservation: id, charged });
  },
  reconcile: () => 0,
  listUnclear: () => [],
  listDisputed: () => [],
  settleDispute: () => 0,
  getBudget: () => budget,
  countRecords: () => ({ cached: none, fetched: none }),
  getTokenBudget: () => tokenBudget,
  getMonthSpending: (accounts) => accounts.map(() => 0),
  listEntries: async () => [],
  readEntryPage: () => ({ entries: [], next: null, hasArchived: false }),
  listTopUps: () => [],
  listEntriesBySubject: () => [],
  listArchivedSums: () => [],
  lease: () => ({ refused: 'unauthorised' }),
  recordUsage: () => {},
  close: () => {},
  recoverFromRestore: () => 0,
};
