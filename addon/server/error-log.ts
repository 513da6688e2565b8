// What went wrong in this spreadsheet lately, for the page to show.
import { keepJson, keptJson } from '../lib/document-store.ts';
import type { Activity, RefusalCode } from './api/index.ts';

type Told = Activity['errors'][number];

const NAME = 'CDAPI_ERRORS';
const KEPT = 10;
const MAX_LENGTH = 500;

/** What the page asked for itself is no news. */
const EXPECTED: readonly (RefusalCode | undefined)[] = ['confirm_first', 'bad_call', 'running', 'pending'];

function isTold(value: unknown): value is Told {
  return typeof value === 'object' && value !== null && 'at' in value && 'message' in value;
}

/** The last errors, newest first. */
export function lastErrors(): Told[] {
  const list = keptJson(NAME);
  return Array.isArray(list) ? list.filter(isTold) : [];
}

/** Keeps an error; the oldest go. That there is nowhere to keep it is no error more. */
export function keepError({ message, code }: { message: string; code?: RefusalCode }): void {
  if (EXPECTED.includes(code)) return;
  const own: Told = {
    at: new Date().toISOString(),
    message: message.slice(0, MAX_LENGTH),
    ...(code === undefined ? {} : { code }),
  };
  try {
    keepJson(NAME, [own, ...lastErrors()].slice(0, KEPT));
  } catch {
    // The person was told anyway.
  }
}
