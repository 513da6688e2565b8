// Stores recent errors of this spreadsheet for the sidebar.
import { readStoredJson, writeStoredJson } from '../lib/document-store.ts';
import { createGuard } from '../lib/json.ts';
import type { Activity, ErrorCode } from './api/index.ts';

type LoggedError = Activity['errors'][number];

const NAME = 'CDAPI_ERRORS';
const MAX_ERRORS = 10;
const MAX_LENGTH = 500;

/** Codes that are part of normal use and not logged. */
const EXPECTED_CODES: readonly (ErrorCode | undefined)[] = [
  'confirm_first',
  'bad_call',
  'running',
  'pending',
  'price_changed',
];

const isLoggedError = createGuard<LoggedError>({ at: 'string', message: 'string' });

/** Lists the recent errors, newest first. */
export function listErrors(): LoggedError[] {
  const list = readStoredJson(NAME);
  return Array.isArray(list) ? list.filter(isLoggedError) : [];
}

/** Logs an error and drops the oldest ones. Storage failures are ignored. */
export function logError({ message, code }: { message: string; code?: ErrorCode }): void {
  if (EXPECTED_CODES.includes(code)) return;
  const entry: LoggedError = {
    at: new Date().toISOString(),
    message: message.slice(0, MAX_LENGTH),
    ...(code === undefined ? {} : { code }),
  };
  try {
    writeStoredJson(NAME, [entry, ...listErrors()].slice(0, MAX_ERRORS));
  } catch {
    // The sidebar has shown the error anyway.
  }
}
