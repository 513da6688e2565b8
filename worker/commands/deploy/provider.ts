// Reads the provider's address and key for a deployment, and examines them.
import { diagnoseProvider } from '../doctor.ts';
import { readProviderSettings } from '../instance/provider-settings.ts';
import { UserError } from '../user-error.ts';
import type { DeployPlatform } from './platform.ts';
import type { DeploymentState } from './state.ts';

/**
 * Reads the provider from the environment, an earlier run, or a person.
 * @returns its address, which ends in `/cdapi`, and its key; undefined: the gateway keeps the key that it has
 * @throws UserError if something is missing and nobody can be asked
 */
export async function readProvider({ env, ask }: DeployPlatform, state: DeploymentState | undefined) {
  const ready = state?.uploaded !== undefined;
  const missing = new UserError(
    'Set CDAPI_BASE_URL and CDAPI_KEY: the provider’s address and key. In a terminal, this command asks for them.',
  );
  const url = env.CDAPI_BASE_URL || state?.provider_url || (await ask?.('Provider’s address (…/cdapi): '));
  if (!url) throw missing;
  const question = ready ? 'Provider’s key (Enter keeps the deployed one): ' : 'Provider’s key (not shown): ';
  const key = env.CDAPI_KEY || (await ask?.(question, true));
  if (!key && !ready) throw missing;
  const parsed = readProviderSettings({ CDAPI_BASE_URL: url, CDAPI_KEY: key || 'unchanged' });
  const { CDAPI_BASE_URL: address = url } = parsed;
  if (!address.startsWith('https://'))
    throw new UserError('CDAPI_BASE_URL begins with https://: Cloudflare must reach the provider, safely.');
  return { url: address, key: key || undefined };
}
export type DeployedProvider = Awaited<ReturnType<typeof readProvider>>;

/**
 * Examines a provider without spending credits.
 * @throws UserError if address or key do not work
 */
export async function examineDeployedProvider(
  { fetch, now, sleep, log }: DeployPlatform,
  { url, key }: DeployedProvider,
): Promise<void> {
  if (key === undefined) return log('The provider’s key stays as it is; it is not checked.');
  const target = { kind: 'live', address: url, key, from: 'CDAPI_BASE_URL' } as const;
  const report = await diagnoseProvider(target, { fetch, now, sleep });
  if (!report.ok) throw new UserError(`${report.verdict} ${report.fix ?? ''}`.trim().replaceAll(key, '…'));
  log(
    `The provider works (${report.balance?.toLocaleString('en') ?? 'unknown'} credits). Nothing was spent.`,
  );
}
