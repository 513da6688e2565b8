// The bindings and settings that the platform hands to the Worker; wrangler.toml declares them.

import type { WebhookMessage, WorkflowParams } from './data-requests/messages.ts';
import type { LedgerService } from './gateway/ledger/types.ts';
import type { ProviderThrottleService } from './gateway/provider-throttle/types.ts';
import type { SingleFlightService } from './gateway/single-flight/service.ts';
import type { SandboxBindings } from './sandbox/bindings.ts';
import type { JobMessage } from './tables/job-message.ts';

/** Bindings of every deployment. */
export interface Env {
  /** Remembered records: docs/storage.md. */
  RECORDS: KVNamespace;
  /** Teams and tokens. */
  DB: D1Database;
  /** One call to the provider for many askers: one object a provider and shard. */
  SINGLE_FLIGHT: DurableObjectNamespace<SingleFlightService & Rpc.DurableObjectBranded>;
  /** Credits and allowance: one object a team. */
  LEDGER: DurableObjectNamespace<LedgerService & Rpc.DurableObjectBranded>;
  /** The provider's pace and health: one object a provider. */
  PROVIDER_THROTTLE: DurableObjectNamespace<ProviderThrottleService & Rpc.DurableObjectBranded>;
  /** Data requests: one instance works on each. */
  REQUESTS: Workflow<WorkflowParams>;
  /** Word from the provider that a data request has ended. */
  WEBHOOKS: Queue<WebhookMessage>;
  /** Work that nobody waits for: pushes, schedules, alerts. */
  JOBS: Queue<JobMessage>;
  /** Rows of data requests. */
  ROWS: R2Bucket;
  /** The rate limit where no allowance is leased. */
  AUTH_RATE_LIMIT: RateLimit;
  /** `production` or `development`. */
  ENVIRONMENT: string;
  /** Address of the provider; ends in `/cdapi`. Set together with {@link Env.CDAPI_KEY} or not at all. */
  CDAPI_BASE_URL?: string;
  /** Secret: the provider's API key. */
  CDAPI_KEY?: string;
  /** How long answers are fresh, where that differs from the standard: `company=30d, job=12h`. */
  FRESH_FOR?: string;
  /** How long paid answers are kept: `365d` at most. */
  KEEP_FOR?: string;
  /** Calls a second that the provider allows, until it says so itself: `5`. */
  PROVIDER_RATE_PER_S?: string;
  /** Which requests the log has a line of: `all`, or `notable`, which leaves out drop-in answers from memory. */
  REQUEST_LOG?: string;
  /** Secret: opens the admin surface. */
  ADMIN_TOKEN?: string;
  /** Secret: the key file of the service account that spreadsheets are shared with: docs/push.md. */
  GOOGLE_SERVICE_ACCOUNT?: string;
  /** Where people reach the gateway, if not at the address that a request came to; an origin. */
  PUBLIC_URL?: string;
}

/** What development adds: the sandbox and the playground. */
export interface DevelopmentEnv extends Env, SandboxBindings {
  /** The playground's files. */
  ASSETS: Fetcher;
  /** Stand-ins of Google: who gives tokens, and the Sheets API. */
  GOOGLE_TOKEN_URL?: string;
  GOOGLE_SHEETS_URL?: string;
  /** `true`: `/health` answers 503 until the sample records are in. */
  AWAIT_SEED?: string;
  /** The development team's token. */
  TEAM_TOKEN: string;
}
