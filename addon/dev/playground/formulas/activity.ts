// Summary of the last formulas in one line: calls, rows, time, credits.
import type { FormulaResult } from '../../host/types.ts';
import type { NetworkCall } from '../network.ts';
import type { Evaluate } from './custom-functions.ts';

/** Counts concurrent evaluations as one. */
export class ActivityTracker {
  readonly #show: (line: string) => void;
  #running = 0;
  #started = 0;
  #calls = 0;
  #rows = 0;
  #spent = 0;
  #remaining: number | undefined;
  /** Parts of the last summary. */
  #summary: string[] = [];

  /** @param show - receives each new line */
  constructor(show: (line: string) => void) {
    this.#show = show;
  }

  /** Counts an answered request. */
  addCall({ spent, remaining }: NetworkCall): void {
    this.#calls += 1;
    this.#spent += spent ?? 0;
    if (remaining === undefined || remaining === this.#remaining) return;
    this.#remaining = remaining;
    // Calls of the sidebar are not evaluations, but change the balance.
    if (this.#running === 0) this.#show(this.#formatLine());
  }

  /** Wraps an evaluation to count it. */
  watch(evaluate: Evaluate): Evaluate {
    return async (...args) => {
      this.#start();
      let result: FormulaResult | undefined;
      try {
        result = await evaluate(...args);
        return result;
      } finally {
        this.#finish(result !== undefined && 'values' in result ? result.values.length : 0);
      }
    };
  }

  #start(): void {
    this.#running += 1;
    if (this.#running > 1) return;
    this.#started = performance.now();
    this.#calls = 0;
    this.#rows = 0;
    this.#spent = 0;
    this.#show('Working…');
  }

  #finish(rows: number): void {
    this.#rows += rows;
    this.#running -= 1;
    if (this.#running > 0) return;
    this.#summary = [
      formatCount(this.#calls, 'call'),
      formatCount(this.#rows, 'row'),
      `${Math.round(performance.now() - this.#started).toLocaleString('en')} ms`,
      ...(this.#calls > 0 ? [`${formatCount(this.#spent, 'credit')} spent`] : []),
    ];
    this.#show(this.#formatLine());
  }

  #formatLine(): string {
    const left = this.#remaining === undefined ? [] : [`${formatCount(this.#remaining, 'credit')} left`];
    return [...this.#summary, ...left].join(' · ');
  }
}

function formatCount(count: number, singular: string): string {
  return `${count.toLocaleString('en')} ${singular}${count === 1 ? '' : 's'}`;
}
