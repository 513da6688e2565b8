// Methods of the sidebar's server and their results. Everything is JSON; times are ISO 8601 in UTC.
import type { MeResponse } from '../../../shared/api/account.ts';
import type { Run } from '../../../shared/api/saved-searches.ts';
import type { Method, Payload } from '../../../shared/api/sidebar.ts';
import type { Approval } from '../../../shared/api/sidebar-orders.ts';
import type { UsageResponse } from '../../../shared/api/usage.ts';
import type { ReportedSource } from '../../../shared/sources.ts';
import type { Language } from '../../texts/texts.ts';
import type { ErrorCode, Failure } from './runs.ts';

export type * from '../../../shared/api/sidebar.ts';
export type * from '../../../shared/api/sidebar-orders.ts';
export type * from './bulk.ts';
export type * from './formulas.ts';
export type * from './runs.ts';
export type * from './tables.ts';

export type Tab = Payload<'setTab'>['tab'];

/** A call of the sidebar, as JSON. */
export interface MethodCall {
  method: Method;
  payload: unknown;
}

/** The reply, as JSON. `message` says the cause and the next step. */
export type Reply<T> = { ok: true; value: T } | ({ ok: false } & Failure);

/** The part of the team's account that the sidebar shows as it is. */
type Account = Pick<MeResponse, 'team' | 'budget' | 'spent' | 'saved' | 'remaining'>;

/** The connection in use, and its team. */
interface CurrentConnection extends Account, Pick<MeResponse, 'mode' | 'spending' | 'scopes'> {
  /** Whose connection it is: this spreadsheet's, the current user's by link or Google account, or the company's. */
  for: Payload<'disconnect'>['for'];
  /** The person was connected without a click and has not seen who pays, and the data terms. */
  isNew?: true;
  /** Clicks above this price need a confirmation; null: none do. */
  confirmAbove: number | null;
  /** The gateway turns sentences into searches. */
  canAsk?: true;
}

/** The state of this spreadsheet. */
export interface Status {
  /** Null if not connected. */
  connection: CurrentConnection | null;
  /** The gateway's troubleshooting page; absent without a connection, unless signing in failed. */
  helpUrl?: string;
  /** Why the connection can't be used at the moment: cause and next step. */
  failure?: { message: string; code?: ErrorCode };
  /** False: lookups in this spreadsheet return cached records only. */
  sheetSpending: boolean;
  /** Whether a connection can be stored for all editors. Without document properties it can't. */
  canConnectSheet: boolean;
  /** Whether the company has a connection, also if this spreadsheet does not use it. */
  hasCompanyConnection: boolean;
  /** Formulas here use the company's connection only if the person allows it: Google does not tell whose spreadsheet it is. */
  mustAllowFormulas?: true;
  /** Whether the person has disconnected from the Google account and may connect again. */
  canConnectAccount?: true;
  /** The tab that was last open in this sheet. */
  tab: Tab;
  /** The person’s last search in this spreadsheet, as JSON. */
  lastSearch?: string;
  active: { sheet: string; range: string; rows: number };
  /** Number of unfinished runs that can be resumed. */
  unfinished: number;
  /** The person's language, if the page asked for it. */
  language?: Language;
}

/** What the team spent from a source. `late`: calls of the last minute, whose source is not known yet. */
export type Share = UsageResponse['total'] & { source: ReportedSource | 'late' };

/** The report of the last 30 days with the ledger's totals of today. Kinds of record and connections lack late calls. */
export interface AlignedUsage extends Omit<UsageResponse, 'sources' | 'today'> {
  sources: Share[];
}

/** The team's usage and history. */
export interface Activity extends Account, Pick<MeResponse, 'reserved'> {
  /** The share of reused data in the price of all data used this month, 0 to 1; null before the first lookup. */
  hitRate: number | null;
  /** The last 30 days; absent if the gateway can't report them now. */
  usage?: AlignedUsage;
  /** Shares of the credits spent today, which add up to them; empty if the gateway can't report them now. */
  today: Share[];
  /** The part of today's shares that no run of the list shows. */
  others: Share[];
  /** The team's latest runs, newest first. */
  runs: Run[];
  /** Ids of the runs in this spreadsheet that the person can undo, the last one first. */
  undoable: string[];
  /** Ids of the runs that the person has undone. */
  undone: string[];
  /** Recent errors in this spreadsheet, newest first. */
  errors: { at: string; message: string; code?: ErrorCode }[];
}

/** Formulas of single cells that fewer formulas of ranges can replace. */
export interface MergeOffer {
  sheetId: number;
  formulas: number;
  /** Number of formulas that replace them. */
  ranges: number;
  columns: string[];
  /** The first new formula. */
  example: string;
  /** Credits for records that are not bought yet, or outdated. */
  credits: number;
  approval: Approval;
}

/** What the active sheet offers. */
export interface MergePlan {
  offer: MergeOffer | null;
}

/** What Undo has done. */
export interface Undone {
  cells: number;
  sheet?: string;
  /** Rows that were changed since the run and stay: their number, and the first ones. */
  left?: { rows: number; first: string[] };
  /** The run of the same table before, if it can be undone, too. */
  before?: { runId: string; isPaid: boolean };
}

export type Empty = Record<string, never>;
