// What went wrong in this spreadsheet lately, for the page to show.
import { readStoredJson, writeStoredJson } from '../lib/document-store.ts';
import type { Activity, ErrorCode } from './api/index.ts';

type LoggedError = Activity['errors'][number];

const NAME = 'CDAPI_ERRORS';
const MAX_ERRORS = 10;
const MAX_LENGTH = 500;

/** What the page asked for itself is no news. */
const EXPECTED_CODES: readonly (ErrorCode | undefined)[] = [
  'confirm_first',
  'bad_call',
  'running',
  'pending',
];

function isLoggedError(value: unknown): value is LoggedError {
  return typeof value === 'object' && value !== null && 'at' in value && 'message' in value;
}

/** The last errors, newest first. */
export function listErrors(): LoggedError[] {
  const list = readStoredJson(NAME);
  return Array.isArray(list) ? list.filter(isLoggedError) : [];
}

/** Keeps an error; the oldest go. That there is nowhere to keep it is no error more. */
export function logError({ message, code }: { message: string; code?: ErrorCode }): void {
  if (EXPECTED_CODES.includes(code)) return;
  const own: LoggedError = {
    at: new Date().toISOString(),
    message: message.slice(0, MAX_LENGTH),
    ...(code === undefined ? {} : { code }),
  };
  try {
    writeStoredJson(NAME, [own, ...listErrors()].slice(0, MAX_ERRORS));
  } catch {
    // The person was told anyway.
  }
}
