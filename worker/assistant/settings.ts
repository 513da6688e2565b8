// Settings of the language model that turns sentences into searches.
import type { Env, WorkersAi } from '../env.ts';
import { ProblemError } from '../http/problem-error.ts';
import { parseWebhookAddress } from '../lib/webhook-address.ts';

/** A model on Workers AI, or behind an address for chat completions. */
export type AssistantSettings = { model: string } & ({ ai: WorkersAi } | { url: string; key: string });

type AssistantEnv = Pick<Env, 'AI' | 'ASSISTANT_MODEL' | 'ASSISTANT_URL' | 'ASSISTANT_KEY'>;

const wrong = (detail: string): ProblemError =>
  new ProblemError('assistant_not_configured', detail, 'Ask your admin to correct it: docs/assistant.md.');

/**
 * Reads the settings.
 * @param isLocal - the provider runs on this machine, so the model may, too
 * @returns undefined if no model is wanted
 * @throws ProblemError `assistant_not_configured`, which never contains a setting's value
 */
export function readAssistantSettings(env: AssistantEnv, isLocal: boolean): AssistantSettings | undefined {
  const { AI: ai, ASSISTANT_MODEL: model, ASSISTANT_URL: address, ASSISTANT_KEY: key } = env;
  if (!model && !address && !key) return undefined;
  if (!model) throw wrong('ASSISTANT_MODEL is missing.');
  if (!address) {
    if (ai !== undefined) return { model, ai };
    throw wrong('ASSISTANT_URL is missing, and the Worker has no binding AI.');
  }
  if (!key) throw wrong('ASSISTANT_KEY is missing.');
  const url = parseWebhookAddress(address, isLocal);
  if (url === undefined) throw wrong('ASSISTANT_URL is not a public https address.');
  return { model, url, key };
}

/**
 * Reads the settings of a model that is needed.
 * @throws ProblemError `assistant_not_configured`
 */
export function requireAssistantSettings(env: AssistantEnv, isLocal: boolean): AssistantSettings {
  const settings = readAssistantSettings(env, isLocal);
  if (settings === undefined) throw new ProblemError('assistant_not_configured');
  return settings;
}

/** Tells whether sentences can become searches. Wrong settings count as none. */
export function isAssistantConfigured(env: AssistantEnv, isLocal: boolean): boolean {
  try {
    return readAssistantSettings(env, isLocal) !== undefined;
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}
