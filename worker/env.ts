// The bindings and settings that the platform hands to the Worker; wrangler.toml declares them.
import type { Flight } from './gateway/flight/object.ts';
import type { Gate } from './gateway/gate/object.ts';
import type { Ledger } from './gateway/ledger/object.ts';
import type { ProviderBindings } from './provider/bindings.ts';

/** Bindings of every deployment. */
export interface Env {
  /** Remembered records: docs/storage.md. */
  RECORDS: KVNamespace;
  /** Teams and tokens. */
  DB: D1Database;
  /** One call to the provider for many askers: one object a provider and shard. */
  FLIGHT: DurableObjectNamespace<Flight>;
  /** Credits and allowance: one object a team. */
  LEDGER: DurableObjectNamespace<Ledger>;
  /** The provider's pace and health: one object a provider. */
  GATE: DurableObjectNamespace<Gate>;
  /** The rate limit where no allowance is leased. */
  STRANGERS: RateLimit;
  /** `production` or `development`. */
  ENVIRONMENT: string;
  /** Address of the provider; ends in `/cdapi`. Set together with {@link Env.CDAPI_KEY} or not at all. */
  CDAPI_BASE_URL?: string;
  /** Secret: the provider's API key. */
  CDAPI_KEY?: string;
  /** Secret: opens the admin surface. */
  ADMIN_TOKEN?: string;
}

/** What development adds: the embedded provider and the playground. */
export interface DevelopmentEnv extends Env, ProviderBindings {
  /** The playground's files. */
  ASSETS: Fetcher;
  /** The development team's token. */
  TEAM_TOKEN: string;
}
