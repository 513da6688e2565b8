// The line about credits below the spreadsheet: what the last formulas cost, and what the team has spent today.
import { formatCount } from '../../../../shared/lib/format-count.ts';
import type { NetworkCall, TeamCredits } from '../network.ts';
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

  /** Wraps an evaluation to count it. */
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
    const ms = Math.round(performance.now() - this.#started).toLocaleString('en');
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
