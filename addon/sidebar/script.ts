// Calls the add-on's script through google.script.run.
import type { Method, MethodCall, MethodResult, Payload, Reply } from '../server/api/index.ts';

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

const NO_ANSWER = 'Google didn’t answer. Check that you are online and signed in, then try again.';
/** Google runs calls of a page as the browser's first account, which may lack the add-on or the spreadsheet. */
const WRONG_ACCOUNT =
  'Google mixed up your accounts: this browser is signed in to several. Open this spreadsheet in a private window, or a browser profile with one account.';
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
    return isReply<T>(value) ? value : { ok: false, message: UNREADABLE };
  } catch {
    return { ok: false, message: UNREADABLE };
  }
}

/** Calls a method of the script. Never rejects. */
export function callScript<M extends Method>(
  method: M,
  payload: Payload<M>,
): Promise<Reply<MethodResult<M>>> {
  return new Promise((resolve) => {
    const run = window.google?.script.run;
    if (run === undefined) {
      resolve({ ok: false, message: NOT_IN_SHEETS });
      return;
    }
    const call: MethodCall = { method, payload };
    run
      .withSuccessHandler((answer) => resolve(parseReply(answer)))
      .withFailureHandler((error) => {
        const message = error instanceof Error ? error.message.replace(/^(?:Error|Exception): /, '') : '';
        const shown = message.includes('PERMISSION_DENIED') ? WRONG_ACCOUNT : message;
        resolve({ ok: false, message: shown === '' ? NO_ANSWER : shown });
      })
      .cdapiSidebar(JSON.stringify(call));
  });
}
