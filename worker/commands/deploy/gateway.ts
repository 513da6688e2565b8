// Tests a deployed gateway through its public address, and creates its first team.
import * as z from 'zod';
import { issuedToken, teamList, teamView } from '../../../shared/api/admin.ts';
import { type RestoreView, restoreView } from '../../../shared/api/admin-settings.ts';
import { type DeepHealth, deepHealth, type HealthReason } from '../../../shared/api/health.ts';
import { familyNames } from '../../../shared/families/index.ts';
import { operations } from '../../../shared/operations.ts';
import { parseJson } from '../../lib/exact-json.ts';
import { UserError } from '../user-error.ts';
import { getErrorCode } from './cloudflare.ts';
import type { DeployPlatform } from './platform.ts';

const TIMEOUT_MS = 30_000;
const POLL_MS = 3_000;
/** A new address is unknown in parts of the internet for a while, and a custom domain needs a certificate. */
const READY_WITHIN_MS = 180_000;
/** The cron runs every minute. */
const HEALTHY_WITHIN_MS = 90_000;
/** Longer than the lease of an interrupted erasure. */
const PROGRESS_WITHIN_MS = 600_000;
/** A part of a restore reads many rows. */
const RESTORE_TIMEOUT_MS = 300_000;

const AGAIN = 'Run the same command again: it continues with this check.';

const healthSchema = z.object({ status: z.string(), version_id: z.string().nullish() });
const problemSchema = z.object({ title: z.string().optional(), detail: z.string().optional() });

type NetworkAndClock = Pick<DeployPlatform, 'fetch' | 'now' | 'sleep' | 'signal'>;

export class DeployedGateway {
  readonly #platform: NetworkAndClock;
  readonly #url: string;
  readonly #adminHeaders: Readonly<Record<string, string>>;
  readonly #overrides: Readonly<Record<string, string>>;

  /** @param version - one that has only a share of the requests: all calls go to it */
  constructor(
    platform: NetworkAndClock,
    url: string,
    { ADMIN_TOKEN }: { ADMIN_TOKEN: string },
    version?: { worker: string; id: string },
  ) {
    this.#platform = platform;
    this.#url = url;
    this.#adminHeaders = { authorization: `Bearer ${ADMIN_TOKEN}` };
    // https://developers.cloudflare.com/workers/versions-and-deployments/version-overrides/
    this.#overrides = version
      ? { 'cloudflare-workers-version-overrides': `${version.worker}="${version.id}"` }
      : {};
  }

  /** Repeats a check until it passes. @param check - describes what is wrong; undefined: nothing */
  async #poll(withinMs: number, check: () => Promise<string | undefined>): Promise<void> {
    const { now, sleep } = this.#platform;
    for (const deadline = now() + withinMs; ; await sleep(POLL_MS)) {
      const fault = await check();
      if (fault === undefined) return;
      if (now() >= deadline) throw new UserError(fault);
    }
  }

  /**
   * Waits until the public address serves a version.
   * @param versionId - Cloudflare's, which every version has; tags are missing after `wrangler secret put`
   * @param lead - start of the sentence if it does not
   * @throws UserError if it does not in time
   */
  async waitUntilReady(versionId: string, lead = 'The gateway is uploaded'): Promise<void> {
    await this.#poll(READY_WITHIN_MS, async () => {
      const found = await this.#describeHealth(versionId);
      if (found === undefined) return undefined;
      return `${lead}, but ${this.#url} is not ready yet: ${found}. A new address can take some minutes. ${AGAIN}`;
    });
  }

  /** @returns the reason why the gateway is not ready; undefined if it is */
  async #describeHealth(versionId: string): Promise<string | undefined> {
    try {
      const { status, body } = await this.#send('GET', '/health', {});
      if (status !== 200) return `it answers ${status} (${describeProblem(body)})`;
      const health = healthSchema.safeParse(body);
      if (!health.success) return 'something else answers there';
      return health.data.version_id === versionId ? undefined : 'it still serves an earlier version';
    } catch (error) {
      this.#platform.signal.throwIfAborted();
      return `no connection (${getErrorCode(error)})`;
    }
  }

  async acceptsAdminToken(): Promise<boolean> {
    return (await this.#send('GET', '/admin/v1/teams?limit=1', this.#adminHeaders)).status !== 401;
  }

  /** Calls the admin API. @throws UserError if it does not answer as expected */
  async admin<T>(schema: z.ZodType<T>, path: string, newResource?: unknown): Promise<T> {
    const method = newResource === undefined ? 'GET' : 'POST';
    return this.#call(schema, method, `/admin/v1${path}`, this.#adminHeaders, newResource);
  }

  /**
   * Checks every binding, and that the admin API is closed to others. It waits for the next run of the cron if the last one
   * failed, because that may have been the run of an earlier version.
   * @param isFirst - the first deployment, whose cron may not have run yet
   * @returns what the person should know, although the deployment works
   * @throws UserError that says what does not work
   */
  async test(isFirst: boolean): Promise<string[]> {
    const { status } = await this.#send('GET', '/admin/v1/teams', {}).catch(() => ({ status: 0 }));
    if (status !== 401)
      throw new UserError(
        `The gateway answers ${status} to a call without the admin token; expected is 401.`,
      );
    let notes: string[] = [];
    await this.#poll(HEALTHY_WITHIN_MS, async () => {
      // A failed check answers 503, with the same body.
      const health = await this.#call(
        deepHealth,
        'GET',
        '/health/deep',
        this.#adminHeaders,
        undefined,
        [503],
      );
      const verdict = judgeHealth(health, isFirst);
      notes = verdict.notes;
      if (verdict.failures.length === 0) return undefined;
      return `The gateway is uploaded, but not everything works: ${verdict.failures.join('; ')}. docs/admin.md explains each reason under Health. ${AGAIN}`;
    });
    return notes;
  }

  /**
   * Completes a restore of the database, part by part.
   * @param log - receives a line for each step
   * @throws UserError if it makes no progress
   */
  async completeRestore(
    command: { id: string; to: string | null },
    log: (line: string) => void,
  ): Promise<RestoreView> {
    const { now, sleep } = this.#platform;
    let shown: string | null = null;
    let last = '';
    for (let deadline = now() + PROGRESS_WITHIN_MS; ; ) {
      const view = await this.admin(restoreView, '/restores', command);
      if (view.done) return view;
      if (view.step !== shown) log(`Restoring: ${(view.step ?? '').replaceAll('_', ' ')} …`);
      shown = view.step;
      const progress = JSON.stringify(view);
      if (progress !== last) deadline = now() + PROGRESS_WITHIN_MS;
      else if (now() >= deadline)
        throw new UserError(
          `The gateway makes no progress with the step ${view.step}: its log says why. Solve this and run the same command again.`,
        );
      // An erasure that was interrupted continues only when its lease has ended.
      else await sleep(POLL_MS);
      last = progress;
    }
  }

  /** Tests a team token, and the provider through a free search. */
  async testToken(token: string): Promise<void> {
    await this.#call(z.unknown(), 'GET', '/sheets/v1/me', { authorization: `Bearer ${token}` });
    const search = operations.find(
      (operation) =>
        operation.name === 'search' && operation.family === familyNames[0] && operation.style === 'filter',
    );
    if (search === undefined) return;
    const body = { created_at_gte: '2999-01-01 00:00:00' };
    await this.#call(z.unknown(), 'POST', `/cdapi${search.path}?items_per_page=1`, { apikey: token }, body);
  }

  /**
   * Creates a team, unless there is one, and a token for it.
   * @returns the connection link
   */
  async createFirstTeam(): Promise<string> {
    const { teams } = await this.admin(teamList, '/teams?limit=1');
    const team = teams[0] ?? (await this.admin(teamView, '/teams', { name: 'First team' }));
    const issued = await this.admin(issuedToken, `/teams/${team.id}/tokens`, { name: 'First token' });
    return issued.connection_link;
  }

  async #call<T>(
    schema: z.ZodType<T>,
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: unknown,
    otherStatuses: readonly number[] = [],
  ): Promise<T> {
    const shown = path.replace(/\?.*/, '');
    const response = await this.#send(method, path, headers, body).catch((error: unknown) => {
      this.#platform.signal.throwIfAborted();
      throw new UserError(`The gateway can’t be reached at ${shown} (${getErrorCode(error)}). ${AGAIN}`);
    });
    const parsed = schema.safeParse(response.body);
    const isExpected = response.status < 300 || otherStatuses.includes(response.status);
    if (isExpected && parsed.success) return parsed.data;
    throw new UserError(
      `The gateway answers ${response.status} at ${shown}: ${describeProblem(response.body)} ${AGAIN}`,
    );
  }

  async #send(method: string, path: string, headers: Readonly<Record<string, string>>, body?: unknown) {
    const { fetch, signal } = this.#platform;
    signal.throwIfAborted();
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { ...headers, ...this.#overrides, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.any([
        signal,
        AbortSignal.timeout(path.endsWith('/restores') ? RESTORE_TIMEOUT_MS : TIMEOUT_MS),
      ]),
    });
    return { status: response.status, body: parseJson(await response.text()) };
  }
}

function describeProblem(body: unknown): string {
  const problem = problemSchema.safeParse(body);
  return (problem.success && (problem.data.detail ?? problem.data.title)) || 'no explanation';
}

type Check = DeepHealth['checks'][number];

const explanations: Readonly<Record<HealthReason, string>> = {
  failed: 'does not work (the log has the line health_check_failed)',
  timed_out: 'does not answer within five seconds',
  not_configured: 'a setting or secret is missing or wrong',
  never_ran: 'has not run yet',
  silent: 'has not run for more than three minutes',
  sweeps_failing: 'failed in part in its last run',
  breaker_open: 'the provider fails, so nothing is sent to it for now',
  out_of_credits: 'the provider’s account has no credits',
};

/** Says nothing about the uploaded version. */
const PROVIDER_STATE: ReadonlySet<HealthReason> = new Set(['breaker_open', 'out_of_credits']);

function describeCheck({ name, reason }: Check): string {
  const title = name === 'cron' ? 'the minute cron' : name;
  return reason === null ? title : `${title}: ${explanations[reason]} (${reason})`;
}

/** Judges the checks. @param isFirst - the first deployment, whose cron may not have run yet */
function judgeHealth({ checks }: DeepHealth, isFirst: boolean) {
  const verdict: Record<'failures' | 'notes', string[]> = { failures: [], notes: [] };
  for (const check of checks) {
    const { ok, reason } = check;
    if (ok) continue;
    const isNote = reason !== null && (PROVIDER_STATE.has(reason) || (isFirst && reason === 'never_ran'));
    verdict[isNote ? 'notes' : 'failures'].push(describeCheck(check));
  }
  return verdict;
}
