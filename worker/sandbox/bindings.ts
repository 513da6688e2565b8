// The bindings of the sandbox. wrangler.toml declares them for development only.
import type { RequestBindings, SandboxRequests } from './requests/requests-object.ts';

/** The bindings of the sandbox. */
export interface SandboxBindings extends RequestBindings {
  /** The API key that clients of the sandbox send. */
  SANDBOX_KEY: string;
  /** Data requests. */
  SANDBOX_REQUESTS: DurableObjectNamespace<SandboxRequests>;
}
