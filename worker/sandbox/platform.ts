// Clock, timers, randomness and network of the sandbox. Tests inject their own.

export interface SandboxPlatform {
  /** Milliseconds since 1970, by this machine's clock. The provider's clock can have an offset from it. */
  now: () => number;
  /** Resolves after the given number of milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** Returns a random UUID. */
  newId: () => string;
  /** Sends requests to webhook receivers. */
  fetch: (request: Request) => Promise<Response>;
}

export const sandboxPlatform: SandboxPlatform = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  newId: () => crypto.randomUUID(),
  fetch: (request) => fetch(request),
};
