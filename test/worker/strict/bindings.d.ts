// Bindings that only the tests have; vitest.config.ts adds them.
declare namespace Cloudflare {
  interface Env {
    STRICT_QUEUE: Queue;
  }
}
