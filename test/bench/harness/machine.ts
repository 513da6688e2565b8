// Describes the machine and measures how busy it is during a run.
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { formatNumber, formatSpread, summarize } from './numbers.ts';

const GIGABYTE = 2 ** 30;
const WORK_STEPS = 12_000_000;

/** Describes the machine in one phrase. */
export function describeMachine(): string {
  const memory = Math.round(totalmem() / GIGABYTE);
  return `${availableParallelism()} cores, ${memory} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

/** Performs a fixed amount of arithmetic. @returns the duration in milliseconds */
function timeFixedWork(): number {
  const start = performance.now();
  let state = 1;
  for (let step = 0; step < WORK_STEPS; step += 1) state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
  const end = performance.now();
  // Using the result prevents the compiler from removing the loop.
  return state === 0 ? Number.NaN : end - start;
}

/** Measures how busy the machine is with other programs. */
export class NoiseMeter {
  readonly #times: number[] = [];
  readonly #loads: number[] = [];

  constructor() {
    timeFixedWork();
  }

  /** Takes a sample with about 20 ms of work. No bench process may run meanwhile. */
  sample(): void {
    this.#times.push(timeFixedWork());
    this.#loads.push(loadavg()[0] ?? 0);
  }

  /** Formats the samples as one sentence. */
  format(): string {
    if (this.#times.length === 0) return 'Nothing was measured.';
    const times = summarize(this.#times);
    const deviation = formatNumber((times.max / times.median - 1) * 100);
    return (
      `Noise: the same fixed work took ${formatSpread(times)} ms between the measurements, up to ${deviation} % more ` +
      `than usual; load ${formatSpread(summarize(this.#loads))}. Differences of that size mean nothing.`
    );
  }

  /** Returns the samples. */
  getSamples(): { times: readonly number[]; loads: readonly number[] } {
    return { times: this.#times, loads: this.#loads };
  }
}
