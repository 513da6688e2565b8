// Types of a bench: plans, their variants, outcomes and reports.
import type { Table } from './table.ts';

/** Settings of a run. */
export interface Settings {
  /** Uses less data and fewer rounds: shows that everything works and roughly where the figures lie. */
  quick: boolean;
  /** Overrides the number of rounds. */
  rounds?: number;
  /** Overrides the data sizes. */
  scale?: readonly number[];
}

/** The input of a variant's process. */
export interface Task {
  /** The variant's name. */
  name: string;
  /** The variant's folder, which is kept through all rounds. */
  dir: string;
  /** The plan's folder, which all variants share. */
  sharedDir: string;
  quick: boolean;
  /** Parameters of the plan. */
  parameters: unknown;
}

/** The `variant` export of a variant's module. Every call runs in a new process; results are passed as JSON. */
export interface VariantModule {
  /** Describes missing software and how to install it; undefined if nothing is missing. */
  missing?: (task: Task) => Promise<string | undefined>;
  /** Measures one round. @returns the figures of the round */
  measure: (task: Task) => Promise<unknown>;
}

/** One way to do the work that a plan compares. */
export interface Variant {
  /** Identifier for `--variants`. */
  name: string;
  /** Name in the table. */
  label: string;
  /** Module that exports `variant`, a {@link VariantModule}. */
  module: URL;
}

/** The outcome of a variant. */
export type Outcome =
  | { state: 'measured'; rounds: readonly unknown[] }
  | { state: 'missing' | 'failed'; reason: string };

/** The report of a plan. */
export interface Report {
  tables: readonly Table[];
  /** Sentences below the tables. */
  notes: readonly string[];
  /** The same results for programs. */
  data: unknown;
}

/** A comparison of variants. */
export interface Plan {
  title: string;
  variants: readonly Variant[];
  rounds: number;
  /** JSON value of {@link Task.parameters}. */
  parameters: unknown;
  /** Creates data that all variants share. */
  setUp?: (sharedDir: string) => Promise<void>;
  /** @param outcomes - by variant name, in the order of the variants */
  report: (outcomes: ReadonlyMap<string, Outcome>) => Report;
}

/** A bench: one folder of test/bench. */
export interface Bench {
  name: string;
  /** One line about what it compares. */
  about: string;
  plans: (settings: Settings) => readonly Plan[];
}
