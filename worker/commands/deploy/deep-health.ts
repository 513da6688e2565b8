// Judges the answer of GET /health/deep after an upload.
import type { DeepHealth, HealthReason } from '../../../shared/api/health.ts';

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

/** What is wrong with a deployment. */
export interface HealthVerdict {
  failures: string[];
  /** What the person should know, although the deployment works. */
  notes: string[];
}

/** Describes a check that failed: its name and the reason. */
function describeCheck({ name, reason }: Check): string {
  const title = name === 'cron' ? 'the minute cron' : name;
  return reason === null ? title : `${title}: ${explanations[reason]} (${reason})`;
}

/**
 * Judges the checks.
 * @param isFirst - the first deployment, whose cron may not have run yet
 */
export function judgeHealth({ checks }: Pick<DeepHealth, 'checks'>, isFirst: boolean): HealthVerdict {
  const verdict: HealthVerdict = { failures: [], notes: [] };
  for (const check of checks) {
    const { ok, reason } = check;
    if (ok) continue;
    const isNote = reason !== null && (PROVIDER_STATE.has(reason) || (isFirst && reason === 'never_ran'));
    verdict[isNote ? 'notes' : 'failures'].push(describeCheck(check));
  }
  return verdict;
}
