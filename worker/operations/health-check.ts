// GET /health/deep: checks every binding, the cron's heartbeat and the provider's last known state. Nothing is bought or written.
import type { DeepHealth, HealthReason } from '../../shared/api/health.ts';
import type { Env, WorkersAi } from '../env.ts';
import { getLedger } from '../gateway/ledger/ledger-object.ts';
import type { Platform } from '../gateway/platform.ts';
import { getProviderThrottle } from '../gateway/provider-throttle/provider-throttle-object.ts';
import type { ThrottleState } from '../gateway/provider-throttle/types.ts';
import type { Upstream } from '../gateway/upstream/upstream.ts';
import { logError } from '../http/log.ts';
import { ProblemError } from '../http/problem-error.ts';
import { formatVersion, toIsoTime } from '../lib/format.ts';
import { getObject } from '../lib/objects.ts';
import { getCronRun, SILENT_AFTER_MS } from './cron-runs.ts';

/** Deadline of each check. */
const TIMEOUT_MS = 5_000;

/** Name of the objects and entries that only health checks use. None of them is ever written. */
const PROBE = 'health';

class CheckFailure extends Error {
  override name = 'CheckFailure';
  readonly reason: HealthReason;

  constructor(reason: HealthReason) {
    super(reason);
    this.reason = reason;
  }
}

export interface HealthContext<E extends Env> {
  env: E;
  platform: Pick<Platform, 'now' | 'sleep'>;
  /** @throws ProblemError `not_configured` */
  getUpstream: (env: E) => Upstream | Promise<Upstream>;
  /** @throws ProblemError `not_configured` */
  checkSettings: () => Promise<void>;
}

/** Values, metrics, which every call would change, and models, which charge for every call. */
type Untestable = string | WorkerVersionMetadata | AnalyticsEngineDataset | WorkersAi;

/** Bindings of the gateway: functions and objects of a deployment. */
type BindingName = {
  [Name in keyof Env]-?: Exclude<Env[Name], undefined> extends Untestable ? never : Name;
}[keyof Env];

/** One call of each binding. The compiler requires all of them. */
const bindingChecks: Readonly<Record<BindingName, (env: Env) => Promise<unknown>>> = {
  DB: ({ DB }) => DB.prepare('SELECT 1').first(),
  RECORDS: ({ RECORDS }) => RECORDS.get(PROBE),
  ROWS: ({ ROWS }) => ROWS.head(PROBE),
  JOBS: ({ JOBS }) => JOBS.metrics(),
  // A request that does not exist has no calls to withdraw.
  SINGLE_FLIGHT: async (env) => getObject(env, env.SINGLE_FLIGHT, PROBE).cancelCalls(PROBE, PROBE),
  LEDGER: async (env) => getLedger(env, PROBE).getBudget(),
  PROVIDER_THROTTLE: async (env) => getProviderThrottle(env, PROBE).getState(),
  AUTH_RATE_LIMIT: ({ AUTH_RATE_LIMIT }) => AUTH_RATE_LIMIT.limit({ key: PROBE }),
};

async function checkCron({ DB }: Env, now: number): Promise<NonNullable<DeepHealth['cron']>> {
  const run = await getCronRun(DB);
  if (run === undefined) throw new CheckFailure('never_ran');
  return {
    last_run_at: toIsoTime(run.at),
    age_s: Math.max(0, Math.round((now - run.at) / 1000)),
    failing: Object.keys(run.failing).sort(),
  };
}

function judgeCron({ age_s, failing }: NonNullable<DeepHealth['cron']>): HealthReason | undefined {
  if (age_s * 1000 > SILENT_AFTER_MS) return 'silent';
  return failing.length > 0 ? 'sweeps_failing' : undefined;
}

function toProviderView({ breaker, balance }: ThrottleState): NonNullable<DeepHealth['provider']> {
  return {
    breaker: breaker.state,
    balance: balance?.reported ?? null,
    balance_at: balance === undefined ? null : toIsoTime(balance.reportedAt),
  };
}

function judgeProvider({ breaker, balance }: NonNullable<DeepHealth['provider']>): HealthReason | undefined {
  if (breaker === 'open') return 'breaker_open';
  return balance !== null && balance <= 0 ? 'out_of_credits' : undefined;
}

interface CheckOutcome<T> {
  check: DeepHealth['checks'][number];
  /** Absent if it could not be read. */
  result?: T;
}

function toReason(name: string, error: unknown): HealthReason {
  if (error instanceof CheckFailure) return error.reason;
  if (error instanceof ProblemError && error.problem.code === 'not_configured') return 'not_configured';
  logError('health_check_failed', error, { check: name });
  return 'failed';
}

/**
 * Runs all checks concurrently, each with a deadline. Never throws.
 */
export async function checkHealth<E extends Env>({
  env,
  platform,
  getUpstream,
  checkSettings,
}: HealthContext<E>): Promise<DeepHealth> {
  async function run<T>(
    name: string,
    check: () => Promise<T>,
    judge: (result: T) => HealthReason | undefined = () => undefined,
  ): Promise<CheckOutcome<T>> {
    const started = platform.now();
    const conclude = (reason: HealthReason | undefined): CheckOutcome<T>['check'] => ({
      name,
      ok: reason === undefined,
      ms: platform.now() - started,
      reason: reason ?? null,
    });
    // A binding that is absent throws at once.
    const running = Promise.resolve().then(check);
    const timeout = platform.sleep(TIMEOUT_MS, running).then(() => {
      throw new CheckFailure('timed_out');
    });
    try {
      const result = await Promise.race([running, timeout]);
      return { check: conclude(judge(result)), result };
    } catch (error) {
      return { check: conclude(toReason(name, error)) };
    } finally {
      timeout.catch(() => {});
    }
  }

  const bindings = Promise.all(
    Object.entries(bindingChecks).map(([name, check]) => run(name, () => check(env))),
  );
  const [settings, others, cron, provider] = await Promise.all([
    run('settings', checkSettings),
    bindings,
    run('cron', () => checkCron(env, platform.now()), judgeCron),
    run(
      'provider',
      async () => {
        const { identity } = await getUpstream(env);
        return toProviderView(await getProviderThrottle(env, identity).getState());
      },
      judgeProvider,
    ),
  ]);
  const checks = [settings, ...others, cron, provider].map(({ check }) => check);
  return {
    status: checks.every(({ ok }) => ok) ? 'ok' : 'failing',
    version: formatVersion(env.VERSION),
    checks,
    cron: cron.result ?? null,
    provider: provider.result ?? null,
  };
}
