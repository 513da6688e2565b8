// Secrets of a deployment with texts that no answer may contain.
import type { Env } from '../../../../../worker/env.ts';
import { NO_PREVIOUS_TOKEN } from '../../../../../worker/http/previous-admin-token.ts';
import { EMAIL, keyFile } from '../../../tables/push/fake-google.ts';

/** Part of every secret. */
export const MARKER = `marker-${crypto.randomUUID()}`;

/** Address of the operator's webhook. */
export const ALERT_URL = `https://hooks.example.com/services/${MARKER}`;

/** E-mail address of the service account. */
export const ACCOUNT_EMAIL = EMAIL;

/** A deployment with every secret and setting. */
export const completeSettings = {
  ENVIRONMENT: 'production',
  PUBLIC_URL: 'https://data.example.com',
  CDAPI_BASE_URL: 'https://api.example.com/cdapi',
  CDAPI_KEY: MARKER,
  ADMIN_TOKEN_PREVIOUS: NO_PREVIOUS_TOKEN,
  ENCRYPTION_SECRET: `${MARKER}-encryption`,
  PSEUDONYM_SECRET: `${MARKER}-pseudonym`,
  GOOGLE_SERVICE_ACCOUNT: JSON.stringify({ ...keyFile, private_key_id: MARKER }),
  OPERATOR_ALERT_URL: ALERT_URL,
} satisfies Partial<Env>;
