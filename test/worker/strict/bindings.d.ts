// The bindings that only these suites have; vitest.config.ts adds them.
declare namespace Cloudflare {
  interface Env {
    STRICT_QUEUE: Queue;
  }
}
