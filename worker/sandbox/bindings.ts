// What the sandbox runs on; wrangler.toml declares it, in development only.
import type { SandboxAccount } from './account/account-object.ts';
import type { SandboxRequests } from './requests/requests-object.ts';

/** What the sandbox runs on. */
export interface SandboxBindings {
  /** Records and their index. */
  SANDBOX_DB: D1Database;
  /** The provider's own API key. */
  SANDBOX_KEY: string;
  /** The account of that key. */
  SANDBOX_ACCOUNT: DurableObjectNamespace<SandboxAccount>;
  /** Data requests and the work on them. */
  SANDBOX_REQUESTS: DurableObjectNamespace<SandboxRequests>;
  /** The files of data requests. */
  SANDBOX_FILES: R2Bucket;
}
