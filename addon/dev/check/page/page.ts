// The check's sidebar: tries what the add-on's sidebar does, and tells the script what it finds.

/** Google's API in the page. */
interface Runner {
  withSuccessHandler(handler: (answer: unknown) => void): Runner;
  withFailureHandler(handler: (error: unknown) => void): Runner;
  checkDate(argument?: unknown): void;
  checkFailure(): void;
  checkPage(findings: string): void;
}

declare const google: { readonly script: { readonly run: Runner } };

/** Set by a separate script of the page, because HtmlService may damage it. */
const LITERAL = 'https://example.com/ // text';

/** The gateway's address; '' for none. Set by the build. */
declare const CHECK_GATEWAY: string;

const TIMEOUT_MS = 15_000;

/** A path that allows the sidebar's origin, as every event stream. The ticket is not valid. */
const EVENTS = `${CHECK_GATEWAY}/sheets/v1/requests/none/events?ticket=none`;

/** Resolves with a finding, or with 'no answer' after a while. */
function within(find: (resolve: (found: string) => void) => void): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(() => resolve('no answer'), TIMEOUT_MS);
    find(resolve);
  });
}

const findDateInAnswer = (): Promise<string> =>
  within((resolve) =>
    google.script.run
      .withSuccessHandler((answer) => resolve(answer === null ? 'null' : typeof answer))
      .withFailureHandler(() => resolve('an error'))
      .checkDate(),
  );

/** The error of a function that fails. */
const findFailure = (): Promise<string> =>
  within((resolve) =>
    google.script.run
      .withSuccessHandler(() => resolve('no failure'))
      .withFailureHandler((error) => {
        const { message }: { message?: unknown } = Object(error);
        if (error instanceof Error) resolve('an error');
        else if (typeof error === 'string') resolve('a text');
        else resolve(typeof message === 'string' ? 'an object with a message' : 'without a message');
      })
      .checkFailure(),
  );

const findDateInCall = (): Promise<string> =>
  within((resolve) => {
    try {
      google.script.run
        .withSuccessHandler(() => resolve('accepted'))
        .withFailureHandler(() => resolve('refused by the script'))
        .checkDate(new Date());
    } catch {
      resolve('refused');
    }
  });

async function findFetch(): Promise<string> {
  if (CHECK_GATEWAY === '') return 'no gateway';
  try {
    const response = await fetch(EVENTS);
    return response.status > 0 ? 'answered' : 'no status';
  } catch {
    return 'blocked';
  }
}

/** An invalid ticket ends the stream with an error, after the browser has reached the gateway. */
function findEvents(): Promise<string> {
  if (CHECK_GATEWAY === '') return Promise.resolve('no gateway');
  return within((resolve) => {
    addEventListener('securitypolicyviolation', () => resolve('blocked by the page’s policy'));
    const source = new EventSource(EVENTS);
    source.onerror = () => {
      source.close();
      // A policy is reported after the error.
      setTimeout(() => resolve('reaches the gateway'), 100);
    };
  });
}

async function run(): Promise<void> {
  const findings = {
    dateInAnswer: await findDateInAnswer(),
    dateInCall: await findDateInCall(),
    failure: await findFailure(),
    fetch: await findFetch(),
    events: await findEvents(),
    literal: Reflect.get(globalThis, 'checkLiteral') === LITERAL ? 'unchanged' : 'damaged',
  };
  google.script.run.checkPage(JSON.stringify(findings));
  document.body.textContent = 'The sidebar’s part is done. You can close it.';
}

void run();
