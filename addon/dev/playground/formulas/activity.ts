// Credits: those of each formula, and the line below the spreadsheet about the last formulas and the team’s day.

import { formatCount, formatNumber } from '../../../../shared/lib/format-count.ts';
import type { Cell, FormulaResult } from '../../host/types.ts';
import type { Grid } from '../grid/grid.ts';
import type { NetworkCall, TeamCredits } from '../network.ts';
import { FORMULA_SHEET, type FormulaSheet, SPENT_COLUMN } from '../workbook/formula-sheet.ts';
import { setCells } from '../workbook/sheet.ts';
import type { Evaluate } from './custom-functions.ts';

/** What the page shows: a line, and the calls and time of the last formulas. */
export interface ActivityView {
  line: string;
  details: string;
}

export interface ActivityOptions {
  /** Reads the team's credits; undefined if the gateway doesn't answer. */
  readCredits: () => Promise<TeamCredits | undefined>;
  /** Receives each new view. */
  show: (view: ActivityView) => void;
}

/** While credits are reserved, they are read again after this time. */
const RESERVED_MS = 3_000;

/** Formulas that use the results of others start so soon after them. */
const DEPENDENT_MS = 300;

/** Counts concurrent evaluations as one, with those that use their results. */
export class ActivityTracker {
  readonly #options: ActivityOptions;
  #running = 0;
  #started = 0;
  #ended = Number.NEGATIVE_INFINITY;
  #calls = 0;
  #spent = 0;
  #remaining: number | undefined;
  #credits: TeamCredits | undefined;
  /** Number of the latest request for the team's credits: earlier answers are outdated. */
  #reading = 0;
  #lastFormulas = '';
  #details = '';

  constructor(options: ActivityOptions) {
    this.#options = options;
  }

  /** Counts an answered request. */
  addCall({ cell, spent = 0, remaining, reserved = 0 }: NetworkCall): void {
    // Calls of the sidebar are not evaluations, but change the balance.
    if (cell !== null) {
      this.#calls += 1;
      this.#spent += spent;
    }
    const isChanged = spent > 0 || reserved > 0 || (remaining !== undefined && remaining !== this.#remaining);
    this.#remaining = remaining ?? this.#remaining;
    if (isChanged && this.#running === 0) void this.readCredits();
  }

  watch(evaluate: Evaluate): Evaluate {
    return async (...args) => {
      this.#start();
      try {
        return await evaluate(...args);
      } finally {
        this.#finish();
      }
    };
  }

  #start(): void {
    this.#running += 1;
    if (this.#running > 1) return;
    this.#options.show({ line: 'Working…', details: '' });
    if (performance.now() < this.#ended + DEPENDENT_MS) return;
    this.#started = performance.now();
    this.#calls = 0;
    this.#spent = 0;
  }

  #finish(): void {
    this.#running -= 1;
    if (this.#running > 0) return;
    this.#ended = performance.now();
    this.#lastFormulas = `Last formulas: ${formatCount(this.#spent, 'credit')}`;
    const ms = formatNumber(Math.round(performance.now() - this.#started));
    this.#details = `The last formulas took ${formatCount(this.#calls, 'call')} and ${ms} ms.`;
    this.#show();
    if (this.#calls > 0) void this.readCredits();
  }

  /** Reads the team's credits again: a request that the page has sent itself may have changed them. */
  async readCredits(): Promise<void> {
    this.#reading += 1;
    const reading = this.#reading;
    const credits = await this.#options.readCredits();
    if (reading !== this.#reading || credits === undefined) return;
    this.#credits = credits;
    if (this.#running === 0) this.#show();
    // An order settles its credits without a call of this page.
    if (credits.reserved > 0) setTimeout(() => reading === this.#reading && this.readCredits(), RESERVED_MS);
  }

  #show(): void {
    const line = [this.#lastFormulas, ...formatCredits(this.#credits)]
      .filter((part) => part !== '')
      .join(' · ');
    this.#options.show({ line, details: this.#details });
  }
}

function formatCredits(credits: TeamCredits | undefined): string[] {
  if (credits === undefined) return [];
  const { today, remaining, reserved } = credits;
  const others = [
    ...(reserved === 0 ? [] : [`${formatCount(reserved, 'credit')} reserved`]),
    ...(remaining === null ? [] : [`${formatCount(remaining, 'credit')} left`]),
  ];
  return [`Your team today: ${formatCount(today, 'credit')} spent`, ...others];
}

/** Reports the credits of a formula's last run. */
export type ReportSpending = (at: Cell, credits: number) => void;

const toKey = ({ sheet, row, column }: Cell): string => `${sheet}!${row},${column}`;

/** Counts the credits of each evaluation by cell. */
export class SpendingTracker {
  readonly #report: ReportSpending;
  /** Credits by cell of running formulas. */
  readonly #spent = new Map<string, number>();

  constructor(report: ReportSpending) {
    this.#report = report;
  }

  /** Counts an answered request. */
  addCall({ cell, spent }: NetworkCall): void {
    const key = cell === null ? undefined : toKey(cell);
    const before = key === undefined ? undefined : this.#spent.get(key);
    if (key !== undefined && before !== undefined) this.#spent.set(key, before + (spent ?? 0));
  }

  /** Wraps an evaluation to report its credits. */
  watch(evaluate: Evaluate): Evaluate {
    return async (name, args, at): Promise<FormulaResult> => {
      const key = toKey(at);
      this.#spent.set(key, 0);
      try {
        return await evaluate(name, args, at);
      } finally {
        this.#report(at, this.#spent.get(key) ?? 0);
        this.#spent.delete(key);
      }
    };
  }
}

/** Creates a function that shows the credits of a formula of the formula sheet. */
export function showSpending(grid: Grid, { liveCells, getSpendingRow }: FormulaSheet): ReportSpending {
  /** Credits by row and column: a block may have several formulas. */
  const spent = new Map<number, Map<number, number>>();
  return ({ sheet, row, column }, credits) => {
    const spendingRow = sheet === FORMULA_SHEET.name ? getSpendingRow(row - 1) : undefined;
    if (spendingRow === undefined || liveCells[row - 1]?.[column - 1]?.f === undefined) return;
    const blockCredits = spent.get(spendingRow) ?? new Map<number, number>();
    spent.set(spendingRow, blockCredits.set(column, credits));
    const sum = [...blockCredits.values()].reduce((a, b) => a + b, 0);
    const text = `${formatCount(sum, 'credit')}`;
    setCells(grid, FORMULA_SHEET.id, { [spendingRow]: { [SPENT_COLUMN]: { v: text } } });
  };
}
