// Settings of operator alerts.
import type { Env } from '../env.ts';
import { ProblemError } from '../http/problem-error.ts';
import { parseWebhookAddress } from '../lib/webhook-address.ts';

const DEFAULT_LOW_BALANCE = 1_000;

/**
 * Reads the threshold of a low balance.
 * @returns credits
 * @throws ProblemError `not_configured`
 */
export function readLowBalance({ OPERATOR_LOW_BALANCE: limit }: Pick<Env, 'OPERATOR_LOW_BALANCE'>): number {
  const lowBalance = limit === undefined ? DEFAULT_LOW_BALANCE : Number(limit);
  if (limit?.trim() === '' || !Number.isInteger(lowBalance) || lowBalance < 0) {
    throw new ProblemError(
      'not_configured',
      'OPERATOR_LOW_BALANCE is not a whole number of credits.',
      'Set it to a number such as 1000, or remove it.',
    );
  }
  return lowBalance;
}

/**
 * Reads the settings.
 * @returns undefined if no alerts are wanted
 * @throws ProblemError `not_configured`, which never contains the address
 */
export function readOperatorSettings(
  env: Pick<Env, 'OPERATOR_ALERT_URL' | 'OPERATOR_LOW_BALANCE' | 'ENVIRONMENT'>,
) {
  const { OPERATOR_ALERT_URL: address, ENVIRONMENT } = env;
  if (!address) return undefined;
  const url = parseWebhookAddress(address, ENVIRONMENT === 'development');
  if (url === undefined) {
    throw new ProblemError(
      'not_configured',
      'OPERATOR_ALERT_URL is not a public https address.',
      'Set it to the whole address of the incoming webhook, or remove it.',
    );
  }
  return { url, lowBalance: readLowBalance(env) };
}
export type OperatorSettings = NonNullable<ReturnType<typeof readOperatorSettings>>;
