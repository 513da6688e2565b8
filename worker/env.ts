// Bindings and settings of the Worker; wrangler.toml declares them.
import type { JobKey } from './db/jobs.ts';
import type { LedgerObject } from './gateway/ledger/ledger-object.ts';
import type { ProviderThrottleService } from './gateway/provider-throttle/types.ts';
import type { SingleFlightService } from './gateway/single-flight/service.ts';
import type { SandboxBindings } from './sandbox/requests/requests-object.ts';

/** The part of the binding of Workers AI that is used. It also takes models that the types don't know. */
export interface WorkersAi {
  run: (model: string, inputs: Record<string, unknown>, options: { signal: AbortSignal }) => Promise<unknown>;
}

/** Bindings of every deployment. */
export interface Env {
  /** Cached records: docs/storage.md. */
  RECORDS: KVNamespace;
  /** The production database. */
  DB: D1Database;
  /** Single flight: one object per provider and shard. */
  SINGLE_FLIGHT: DurableObjectNamespace<SingleFlightService & Rpc.DurableObjectBranded>;
  /** Credits and rate limits: one object per team. */
  LEDGER: DurableObjectNamespace<LedgerObject>;
  /** The provider's rate limit and circuit breaker: one object per provider. */
  PROVIDER_THROTTLE: DurableObjectNamespace<ProviderThrottleService & Rpc.DurableObjectBranded>;
  /** Wakes background jobs. */
  JOBS: Queue<JobKey>;
  /** Rows of data requests. */
  ROWS: R2Bucket;
  /** Fallback rate limit without a lease. */
  AUTH_RATE_LIMIT: RateLimit;
  /** Metrics: docs/metrics.md. Absent: none are written. */
  METRICS?: AnalyticsEngineDataset;
  /** `production` or `development`. */
  ENVIRONMENT: string;
  /** URL of the provider; ends in `/cdapi`. Set together with {@link Env.CDAPI_KEY} or not at all. */
  CDAPI_BASE_URL?: string;
  /** Secret: the provider's API key. */
  CDAPI_KEY?: string;
  /** Overrides how long answers are fresh: `company=30d, job=12h`. */
  FRESH_FOR?: string;
  /** How long paid answers are kept: `365d` at most. */
  KEEP_FOR?: string;
  /** Calls per second that the provider allows, until its responses state the limit: `5`. */
  PROVIDER_RATE_PER_S?: string;
  /** Where Durable Objects stay for ever, such as `eu`: see {@link Jurisdiction}. Absent: anywhere. */
  JURISDICTION?: string;
  /** Hint where Durable Objects are created, such as `weur`: see {@link Region}. Absent: near their first caller. */
  REGION?: string;
  /** The deployed version; `tag` is its commit. Absent in development. */
  VERSION?: WorkerVersionMetadata;
  /** Which requests are logged: `all`, or `notable`, which omits drop-in answers from memory. */
  REQUEST_LOG?: string;
  /** Secret: token of the admin API. */
  ADMIN_TOKEN?: string;
  /** Secret: the admin token before a rotation, and until when it is accepted: {@link readPreviousAdminToken}. */
  ADMIN_TOKEN_PREVIOUS?: string;
  /** Domain of the Cloudflare Access team, such as `acme.cloudflareaccess.com`. Set together with {@link Env.ACCESS_AUDIENCE}. */
  ACCESS_TEAM_DOMAIN?: string;
  /** Audience tag of the Access application that protects `/console`. */
  ACCESS_AUDIENCE?: string;
  /** Roles of people and groups of Access, such as `ada@acme.com=owner, Finance=finance`. Empty: everybody is an owner. */
  ACCESS_ROLES?: string;
  /** Secret: key of the pseudonyms of record keys. It must never change: docs/storage.md. */
  PSEUDONYM_SECRET?: string;
  /** Secret: encrypts addresses and secrets of receivers in D1. */
  ENCRYPTION_SECRET?: string;
  /** Secret: the key file of the service account that spreadsheets are shared with: docs/push.md. */
  GOOGLE_SERVICE_ACCOUNT?: string;
  /** Secret: https address of an incoming webhook that receives operator alerts. Absent: none are sent. */
  OPERATOR_ALERT_URL?: string;
  /** Credits of the provider's account below which the operator is alerted: `1000`. */
  OPERATOR_LOW_BALANCE?: string;
  /** Workers AI, if the assistant uses it: docs/assistant.md. */
  AI?: WorkersAi;
  /** Name of the language model that turns sentences into searches. Absent: sentences are refused. */
  ASSISTANT_MODEL?: string;
  /** Address of its chat completions. Absent: the model runs on {@link Env.AI}. */
  ASSISTANT_URL?: string;
  /** Secret: the key of that address. */
  ASSISTANT_KEY?: string;
  /** Set while D1 is restored, by `npm run restore`: nothing is answered, sent or changed. */
  MAINTENANCE?: string;
  /** Public https origin of the gateway. Required by deployments; in development the origin of a request replaces it. */
  PUBLIC_URL?: string;
}

export interface DevelopmentEnv extends Env, SandboxBindings {
  /** The playground's files. */
  ASSETS: Fetcher;
  /** Replacements of Google's token endpoint and Sheets API. */
  GOOGLE_TOKEN_URL?: string;
  GOOGLE_SHEETS_URL?: string;
  /** Replacement of the address of Google's public keys. */
  GOOGLE_KEYS_URL?: string;
  /** Replacement of the address of the keys of Cloudflare Access. */
  ACCESS_KEYS_URL?: string;
  /** `true`: `/health` returns 503 until the sample records are imported. */
  AWAIT_SEED?: string;
  /** The development team's token. */
  TEAM_TOKEN: string;
  /** Opens the playground. Absent: it does not open. */
  PLAYGROUND_NONCE?: string;
}
