// Kinds of ledger lines in words.
import type { LedgerLine } from '../../../../shared/api/admin-reports.ts';

/** Labels by kind. */
export const kindLabels: Readonly<Record<LedgerLine['kind'], string>> = {
  charge: 'Bought',
  unclear: 'Unclear, counted as bought',
  correction: 'Correction',
  disputed: 'Disputed, not counted',
  saved: 'Reused',
  top_up: 'Top-up',
  budget: 'Budget',
};
