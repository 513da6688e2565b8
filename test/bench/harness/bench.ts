// What a bench is: plans, each one table; variants, which do the same work; what is made of their figures.
import type { Table } from './table.ts';

/** How a run was asked for. */
export interface Settings {
  /** Less of everything: to see that all works, and whither the figures point. */
  quick: boolean;
  /** Rounds in place of the plan's own. */
  rounds?: number;
  /** Sizes of data in place of the bench's own. */
  scale?: readonly number[];
}

/** What a variant is told in its process. */
export interface Task {
  /** The variant's name. */
  name: string;
  /** A folder of its own, kept from `prepare` through all rounds. */
  dir: string;
  /** The plan's folder, for all its variants. */
  sharedDir: string;
  quick: boolean;
  /** What the plan gives to all its variants. */
  parameters: unknown;
}

/** What a variant's module exports as `variant`. Every call is made in a process of its own; answers go as JSON. */
export interface VariantModule {
  /** Tells what is missing on this machine and how to get it; undefined where nothing is. */
  missing?: (task: Task) => Promise<string | undefined>;
  /** Once a plan: makes what the rounds need. @returns what was measured on the way */
  prepare?: (task: Task) => Promise<unknown>;
  /** Once a round. @returns the round's figures */
  measure: (task: Task) => Promise<unknown>;
}

/** One way to do the work. */
export interface Variant {
  /** A word, as `--variants` has it. */
  name: string;
  /** As the table calls it. */
  label: string;
  /** A module that exports `variant`, a {@link VariantModule}. */
  module: URL;
}

/** What became of a variant. */
export type Outcome =
  | { state: 'measured'; preparation: unknown; rounds: readonly unknown[] }
  | { state: 'missing' | 'failed'; reason: string };

/** What a plan tells at its end. */
export interface Report {
  tables: readonly Table[];
  /** Sentences below the tables. */
  notes: readonly string[];
  /** The same for programs. */
  data: unknown;
}

/** One comparison. */
export interface Plan {
  title: string;
  variants: readonly Variant[];
  rounds: number;
  /** JSON for {@link Task.parameters}. */
  parameters: unknown;
  /** Makes what all variants share. */
  setUp?: (sharedDir: string) => Promise<void>;
  /** @param outcomes - by the variants' names, in their order */
  report: (outcomes: ReadonlyMap<string, Outcome>) => Report;
}

/** A folder of test/bench. */
export interface Bench {
  name: string;
  /** What it compares, in one line. */
  about: string;
  plans: (settings: Settings) => readonly Plan[];
}
