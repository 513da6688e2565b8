// Calls the add-on's script through google.script.run.
import type { Method, MethodCall, Payload, Reply } from '../server/api/index.ts';
import type { MethodResult } from '../server/index.ts';
import { t } from '../texts/texts.ts';

/** A failed reply. */
export type ScriptError = Extract<Reply<never>, { ok: false }>;

/** Google's API in the page. Each handler setter returns a new runner, so calls may overlap. */
interface Runner {
  withSuccessHandler(handler: (answer: unknown) => void): Runner;
  withFailureHandler(handler: (error: unknown) => void): Runner;
  cdapiSidebar(call: string): void;
}

declare global {
  interface Window {
    google?: { script: { run: Runner } };
  }
}

/** Google's code for a call that ran as the wrong account. A message is in the language of the account; this is not. */
const WRONG_ACCOUNT_CODE = 'PERMISSION_DENIED';
const NO_ANSWER = 'Google didn’t answer. Check that you are online and signed in, then try again.';
/** Google runs calls of a page as the browser's first account, which may lack the add-on or the spreadsheet. */
const WRONG_ACCOUNT =
  'Google mixed up your accounts: this browser is signed in to several. Open this spreadsheet in a private window, or a browser profile with one account.';
/** A call that Google refused for another or an unknown reason; often it is the same. */
const describeRefusal = (message: string): string =>
  t(
    'Google refused the call: “{message}” If this browser is signed in to several Google accounts, open this spreadsheet in a private window, or a browser profile with one account. Otherwise close the sidebar, open it again and try again.',
    { message },
  );
const UNREADABLE = 'The sidebar couldn’t read the answer. Close it and open it again.';
const NOT_IN_SHEETS = 'This page works only inside a spreadsheet. Open it from the CDAPI menu.';

/** Checks the envelope only: page and script come from the same build. */
function isReply<T>(value: unknown): value is Reply<T> {
  if (typeof value !== 'object' || value === null || !('ok' in value)) return false;
  return value.ok === true ? 'value' in value : 'message' in value && typeof value.message === 'string';
}

function parseReply<T>(answer: unknown): Reply<T> {
  try {
    const value: unknown = typeof answer === 'string' ? JSON.parse(answer) : undefined;
    return isReply<T>(value) ? value : { ok: false, message: t(UNREADABLE) };
  } catch {
    return { ok: false, message: t(UNREADABLE) };
  }
}

/**
 * Explains why Google did not run the script, or stopped it: the script itself answers with a reply, also when it fails.
 * @param error - may come from another frame, so it need not be an `Error` of this page
 */
function explainFailure(error: unknown): string {
  const { name, message }: { name?: unknown; message?: unknown } = Object(error);
  const text = typeof error === 'string' ? error : typeof message === 'string' ? message : '';
  if (text.includes(WRONG_ACCOUNT_CODE)) return t(WRONG_ACCOUNT);
  return text === '' || name === 'NetworkError'
    ? t(NO_ANSWER)
    : describeRefusal(text.replace(/^(?:Error|Exception): /, ''));
}

/** Calls a method of the script. Never rejects. */
export function callScript<M extends Method>(
  method: M,
  payload: Payload<M>,
): Promise<Reply<MethodResult<M>>> {
  return new Promise((resolve) => {
    const run = window.google?.script.run;
    if (run === undefined) {
      resolve({ ok: false, message: t(NOT_IN_SHEETS) });
      return;
    }
    const call: MethodCall = { method, payload };
    run
      .withSuccessHandler((answer) => resolve(parseReply(answer)))
      .withFailureHandler((error) => resolve({ ok: false, message: explainFailure(error) }))
      .cdapiSidebar(JSON.stringify(call));
  });
}
