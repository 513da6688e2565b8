// What a clause can see while it is read: the mapping, the analyzer, the clock, and where in the query it stands.
import type { Token } from '../analysis/standard.ts';
import type { MappingLookup } from '../fields.ts';
import type { Query } from '../query.ts';
import type { ClauseBudget } from './limits.ts';

/** What reading a query needs from outside. */
export interface ParseContext {
  mapping: MappingLookup;
  /** Milliseconds since 1970 UTC. */
  now: () => number;
  /** Splits a text into the terms under which text fields are indexed. */
  analyze: (text: string) => readonly Token[];
  /** Brings a text into the spelling of such terms without splitting it. */
  lowerCase: (text: string) => string;
  /** The most clauses of a query; 1,024 unless it is told otherwise. */
  maxClauses?: number;
}

/** The context of one clause. */
export interface Scope extends ParseContext {
  /** The nested object whose fields can be seen; undefined at the root. */
  nestedPath: string | undefined;
  depth: number;
  budget: ClauseBudget;
  /** Reads a clause that stands in this one. */
  parse: (json: unknown, scope: Scope) => Query;
}

/** Reads the body of one clause. */
export type ClauseParser = (body: unknown, scope: Scope) => Query;
