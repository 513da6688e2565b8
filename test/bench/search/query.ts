// What a query of the search bench is, and what of it each engine is asked.
import type { Query as MiniSearchQuery, SearchOptions } from 'minisearch';

/** A company as MiniSearch keeps it beside its index, for filters. */
export interface Kept {
  type: string | null;
  industry: string | null;
  country: string | null;
  website: string | null;
  ticker: string | null;
  employees: number | null;
  followers: number | null;
  updated: string;
}

/** The natural equivalent for another engine. */
interface Equivalent {
  /** It finds the same records, but for what the other engine takes for a word. */
  same: boolean;
}

/** A condition on the tables of postgres/schema.sql, and what the hits are ranked by if not by their ids. */
export interface PostgresQuery extends Equivalent {
  where: string;
  rank?: string;
}

/** A call of `search`. */
export interface MiniSearchCall extends Equivalent {
  /** Absent: all records. */
  query?: Exclude<MiniSearchQuery, symbol>;
  options?: Omit<SearchOptions, 'filter'>;
  /** Which of the hits count. */
  filter?: (kept: Kept) => boolean;
}

/** One query. Where an engine has nothing that comes naturally, it is not asked. */
export interface BenchQuery {
  name: string;
  /** In the language of the service's search bodies; Lucene is asked what this means. */
  query: Readonly<Record<string, unknown>>;
  postgres?: PostgresQuery;
  minisearch?: MiniSearchCall;
}
