// The calls in progress of a single-flight object, by name.
import type { Call } from './call.ts';

/** Of all objects in an isolate, as many as may wait for the throttle: a call takes about 9 KB. */
const MAX_CALLS = 5_000;
/** Characters of the bodies of all objects in an isolate. */
const MAX_BODIES = 8_000_000;

/** What each object may have in any case, so that a full one does not stop the others. */
const RESERVED = { calls: 20, bodies: 100_000 };

/** The registries of an isolate. One whose object has ended counts as long as its memory is not reclaimed. */
const registries = new Set<WeakRef<CallRegistry>>();

function sumUp(): { calls: number; bodies: number } {
  let [calls, bodies] = [0, 0];
  for (const reference of registries) {
    const registry = reference.deref();
    if (registry === undefined) registries.delete(reference);
    else {
      calls += registry.size;
      bodies += registry.bodies;
    }
  }
  return { calls, bodies };
}

const getBodyLength = ({ body }: { body?: string }): number => body?.length ?? 0;

/** Holds at most one call for a name. It is lost with the object. */
export class CallRegistry {
  readonly #calls = new Map<string, Call>();
  #bodies = 0;

  constructor() {
    registries.add(new WeakRef(this));
  }

  get size(): number {
    return this.#calls.size;
  }

  get bodies(): number {
    return this.#bodies;
  }

  get(name: string): Call | undefined {
    return this.#calls.get(name);
  }

  list(): Call[] {
    return [...this.#calls.values()];
  }

  /** Tells whether the isolate lacks memory for another call with such a body. */
  isFull(request: { body?: string }): boolean {
    const length = getBodyLength(request);
    if (this.size < RESERVED.calls && this.#bodies + length <= RESERVED.bodies) return false;
    const { calls, bodies } = sumUp();
    return calls >= MAX_CALLS || bodies + length > MAX_BODIES;
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
