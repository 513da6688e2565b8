// The calls in progress of a single-flight object, by name.
import type { Call } from './call.ts';

const MAX_CALLS = 10_000;
/** Characters of all bodies together. */
const MAX_BODIES = 20_000_000;

const getBodyLength = ({ body }: { body?: string }): number => body?.length ?? 0;

/** Holds at most one call for a name. It is lost with the object. */
export class CallRegistry {
  readonly #calls = new Map<string, Call>();
  #bodies = 0;

  get(name: string): Call | undefined {
    return this.#calls.get(name);
  }

  list(): Call[] {
    return [...this.#calls.values()];
  }

  /** Is there no memory for another call with such a body? */
  isFull(request: { body?: string }): boolean {
    return this.#calls.size >= MAX_CALLS || this.#bodies + getBodyLength(request) > MAX_BODIES;
  }

  add(call: Call): void {
    this.#calls.set(call.request.name, call);
    this.#bodies += getBodyLength(call.request);
  }

  /** @returns whether the call was in the registry */
  delete(call: Call): boolean {
    const { request } = call;
    if (this.#calls.get(request.name) !== call) return false;
    this.#bodies -= getBodyLength(request);
    return this.#calls.delete(request.name);
  }
}
