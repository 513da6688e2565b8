// What Google's refusals mean, and what to do about each.
import * as z from 'zod';
import { ProblemError } from '../../http/problem-error.ts';
import type { GoogleResponse } from './google-http.ts';

/** https://cloud.google.com/apis/design/errors */
const errorBody = z.object({
  error: z.object({
    message: z.string().default(''),
    details: z.array(z.object({ reason: z.string().optional() })).default([]),
  }),
});

/** Refusals of a change that are worth words of their own. Google's words may hold names of sheets; ours do not. */
const knownErrors: readonly { said: RegExp; detail: string; fix: string }[] = [
  {
    said: /protected/i,
    detail: 'Cells of the table are protected.',
    fix: 'Let {account} edit the protected range, or take the protection away; then run it again.',
  },
  {
    said: /above the limit of \d+ cells/i,
    detail: 'The spreadsheet is full: Google allows 10,000,000 cells.',
    fix: 'Delete sheets or empty rows that nobody needs, or write to a new spreadsheet; then run it again.',
  },
  {
    said: /unable to parse range|exceeds grid limits|no grid with id/i,
    detail: 'The sheet was changed while it was written to.',
    fix: 'Run it again.',
  },
];

/**
 * What an answer of Google that is no success means.
 * @param account - the address of the service account, which may be told: spreadsheets are shared with it
 * @returns `sheet_not_shared`, `sheet_missing`, `sheet_refused`, `rate_limited`, `push_not_configured` or `google_unavailable`
 */
export function toGoogleProblem({ status, body }: GoogleResponse, account: string): ProblemError {
  const read = errorBody.safeParse(body);
  const { message, details } = read.success ? read.data.error : { message: '', details: [] };
  if (status === 401) {
    return new ProblemError('push_not_configured', `Google does not take the tokens of ${account}.`);
  }
  if (status === 403) {
    if (details.some(({ reason }) => reason === 'SERVICE_DISABLED')) {
      return new ProblemError(
        'push_not_configured',
        `The Google Sheets API is switched off in the project of ${account}.`,
        'Switch the Google Sheets API on in that project, wait a few minutes and run it again.',
      );
    }
    return new ProblemError(
      'sheet_not_shared',
      `The spreadsheet is not shared with ${account}.`,
      `Share it with ${account} as an editor, then run it again.`,
    );
  }
  if (status === 404) return new ProblemError('sheet_missing');
  if (status === 429) {
    return new ProblemError(
      'rate_limited',
      'Google takes no more calls for the moment.',
      'Run it again in a few minutes.',
    );
  }
  if (status >= 400 && status < 500) {
    const known = knownErrors.find(({ said }) => said.test(message));
    return new ProblemError('sheet_refused', known?.detail, known?.fix.replace('{account}', account));
  }
  return new ProblemError('google_unavailable');
}
