// What kind of machine this is, and how steady it was while figures were taken.
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { formatNumber, formatSpread, summarize } from './numbers.ts';

const GIGABYTE = 2 ** 30;
const WORK_STEPS = 12_000_000;

/** The machine's kind, in a phrase. */
export function describeMachine(): string {
  const memory = Math.round(totalmem() / GIGABYTE);
  return `${availableParallelism()} cores, ${memory} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

/** Always the same arithmetic. @returns how long it took, in milliseconds */
function timeFixedWork(): number {
  const start = performance.now();
  let state = 1;
  for (let step = 0; step < WORK_STEPS; step += 1) state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
  const end = performance.now();
  // The result is used, so that the work can't be left out.
  return state === 0 ? Number.NaN : end - start;
}

/** Watches how busy the machine is with other things. */
export class NoiseMeter {
  readonly #times: number[] = [];
  readonly #loads: number[] = [];

  constructor() {
    timeFixedWork();
  }

  /** Takes a sample, about 20 ms of work; called while nothing of ours runs. */
  sample(): void {
    this.#times.push(timeFixedWork());
    this.#loads.push(loadavg()[0] ?? 0);
  }

  /** A sentence on the samples so far. */
  format(): string {
    const times = summarize(this.#times);
    const deviation = formatNumber((times.max / times.median - 1) * 100);
    return (
      `Noise: the same fixed work took ${formatSpread(times)} ms between the measurements, up to ${deviation} % more ` +
      `than usual; load ${formatSpread(summarize(this.#loads))}. Differences of that size mean nothing.`
    );
  }

  /** The samples. */
  getSamples(): { times: readonly number[]; loads: readonly number[] } {
    return { times: this.#times, loads: this.#loads };
  }
}
