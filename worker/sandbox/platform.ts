// Time, chance and the network, as the sandbox reaches them: what tests replace.

/** The edges of the sandbox. */
export interface SandboxPlatform {
  /** Milliseconds since 1970 by this machine's clock; the provider's own may be set off from it. */
  now: () => number;
  /** Resolves after so many milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** A random UUID. */
  newId: () => string;
  /** Reaches the addresses of webhooks. */
  fetch: (request: Request) => Promise<Response>;
}

/** The edges of the real platform. */
export const sandboxPlatform: SandboxPlatform = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  newId: () => crypto.randomUUID(),
  fetch: (request) => fetch(request),
};
