// The context in which a clause is parsed.
import type { Token } from '../analysis/standard.ts';
import type { MappingLookup } from '../fields.ts';
import type { Query } from '../query.ts';
import type { ClauseBudget } from './limits.ts';

/** Dependencies of the parser. */
export interface ParseContext {
  mapping: MappingLookup;
  /** Milliseconds since 1970 UTC. */
  now: () => number;
  /** Splits a text into the terms of text fields. */
  analyze: (text: string) => readonly Token[];
  /** Normalises a text like a term, without splitting it. */
  lowerCase: (text: string) => string;
}

/** The context of one clause. */
export interface Scope extends ParseContext {
  /** The enclosing nested object, whose fields are visible; undefined at the root. */
  nestedPath: string | undefined;
  depth: number;
  budget: ClauseBudget;
  /** Parses a child clause. */
  parse: (json: unknown, scope: Scope) => Query;
}

/** Parses the body of one clause. */
export type ClauseParser = (body: unknown, scope: Scope) => Query;
