// A call to the provider and its payer.
import type { Family } from '../../shared/families/index.ts';
import type { Operation } from '../../shared/operations.ts';
import type { RecordedSource } from '../../shared/sources.ts';

/** What an enrichment or schedule may spend, within the budgets of its team and token. */
export interface AutomationBudget {
  /** Id of its account in the team's ledger. */
  account: string;
  /** Credits per UTC month. */
  month: number;
}

/** The caller whose budget pays, and where its calls come from. */
export interface Payer {
  team: string;
  token: string;
  /** Only for the report: nothing is decided by it. Absent for programs. */
  source?: RecordedSource | undefined;
  /** Id of the spreadsheet, if nobody knows who uses the token. Only for the report. */
  spreadsheet?: string | undefined;
  /** Absent for calls of people and programs. */
  budget?: AutomationBudget | undefined;
}

/** Priorities of queued calls, highest first: formulas, which people wait for, go before bulk work. */
export const lanes = ['formula', 'bulk'] as const;
export type Lane = (typeof lanes)[number];

/** Name of an operation, as used by scopes, prices and the ledger. */
export type OperationName = Operation['name'];

export interface ProviderCall {
  /** Cache name of the answer, for example `company_clean:website:example.com`. Equal calls have equal names. */
  name: string;
  operation: OperationName;
  family: Family;
  method: 'GET' | 'POST';
  /** Relative to `/cdapi`, with the query. */
  path: string;
  body?: string;
  /** Credits that a 200 costs; any other response is free (provider API, "Credits"). */
  credits: number;
}
