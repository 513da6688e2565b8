// What kind of machine this is, and how steady it was while figures were taken.
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { spread, written, writtenSpread } from './numbers.ts';

const GIGABYTE = 2 ** 30;
const WORK = 12_000_000;

/** The machine's kind, in a phrase. */
export function machineKind(): string {
  const memory = Math.round(totalmem() / GIGABYTE);
  return `${availableParallelism()} cores, ${memory} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

/** Always the same arithmetic. @returns how long it took, in milliseconds */
function fixedWork(): number {
  const start = performance.now();
  let state = 1;
  for (let step = 0; step < WORK; step += 1) state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
  const end = performance.now();
  // The result is used, so that the work can't be left out.
  return state === 0 ? Number.NaN : end - start;
}

/** Watches how busy the machine is with other things. */
export class NoiseMeter {
  readonly #times: number[] = [];
  readonly #loads: number[] = [];

  constructor() {
    fixedWork();
  }

  /** Takes a sample, about 20 ms of work; called while nothing of ours runs. */
  sample(): void {
    this.#times.push(fixedWork());
    this.#loads.push(loadavg()[0] ?? 0);
  }

  /** A sentence on the samples so far. */
  describe(): string {
    const times = spread(this.#times);
    const off = written((times.max / times.median - 1) * 100);
    return (
      `Noise: the same fixed work took ${writtenSpread(times)} ms between the measurements, up to ${off} % more ` +
      `than usual; load ${writtenSpread(spread(this.#loads))}. Differences of that size mean nothing.`
    );
  }

  /** The samples. */
  samples(): { times: readonly number[]; loads: readonly number[] } {
    return { times: this.#times, loads: this.#loads };
  }
}
