// Maps error responses of Google to problems.
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

/** Rejected writes with a known reason. Google's message is not quoted: it may contain names of sheets. */
const knownErrors: readonly { pattern: RegExp; detail: string; fix: string }[] = [
  {
    pattern: /protected/i,
    detail: 'Cells of the table are protected.',
    fix: 'Let {account} edit the protected range, or take the protection away; then run it again.',
  },
  {
    pattern: /above the limit of \d+ cells/i,
    detail: 'The spreadsheet is full: Google allows 10,000,000 cells.',
    fix: 'Delete sheets or empty rows that nobody needs, or write to a new spreadsheet; then run it again.',
  },
  {
    pattern: /unable to parse range|exceeds grid limits|no grid with id/i,
    detail: 'The sheet was changed while it was written to.',
    fix: 'Run it again.',
  },
];

/**
 * Converts an error response to a problem.
 * @param account - address of the service account; users may see it, because they share spreadsheets with it
 * @returns `sheet_not_shared`, `sheet_missing`, `sheet_refused`, `rate_limited`, `push_not_configured` or
 * `google_unavailable`
 */
export function toGoogleProblem({ status, body }: GoogleResponse, account: string): ProblemError {
  const error = errorBody.safeParse(body);
  const { message, details } = error.success ? error.data.error : { message: '', details: [] };
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
    const known = knownErrors.find(({ pattern }) => pattern.test(message));
    return new ProblemError('sheet_refused', known?.detail, known?.fix.replace('{account}', account));
  }
  return new ProblemError('google_unavailable');
}
