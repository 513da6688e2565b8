// What the embedded provider runs on; wrangler.toml declares it, in development only.
import type { ProviderAccount } from './account/object.ts';
import type { ProviderRequests } from './requests/object.ts';

/** What the embedded provider runs on. */
export interface ProviderBindings {
  /** Records and their index. */
  PROVIDER_DB: D1Database;
  /** The provider's own API key. */
  PROVIDER_KEY: string;
  /** The account of that key. */
  PROVIDER_ACCOUNT: DurableObjectNamespace<ProviderAccount>;
  /** Data requests and the work on them. */
  PROVIDER_REQUESTS: DurableObjectNamespace<ProviderRequests>;
  /** The files of data requests. */
  PROVIDER_FILES: R2Bucket;
}
