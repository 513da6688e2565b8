// Runs the check's sidebar page without a browser: its script, google.script.run, and a network.
import { createContext, runInContext } from 'node:vm';
import type { Host } from '../../../addon/dev/host/host.ts';
import { copyArguments } from '../../../addon/dev/host/script-run.ts';

/** Ends with an error, as streams with an invalid ticket do. */
class FailingEventSource {
  onerror: () => void = () => undefined;

  constructor() {
    setImmediate(() => this.onerror());
  }

  close(): void {}
}

function createRunner(host: Host, onSuccess: (value: unknown) => void, onFailure: (error: unknown) => void) {
  const call =
    (name: string) =>
    (...args: unknown[]): void => {
      // Google checks the arguments before it sends them: the call in the page throws.
      void host.call(name, copyArguments(args)).then(onSuccess, onFailure);
    };
  return {
    withSuccessHandler: (handler: typeof onSuccess): object => createRunner(host, handler, onFailure),
    withFailureHandler: (handler: typeof onFailure): object => createRunner(host, onSuccess, handler),
    checkDate: call('checkDate'),
    checkFailure: call('checkFailure'),
    checkPage: call('checkPage'),
  };
}

/** Runs the scripts of a page. */
export function runPage(html: string, host: Host): void {
  const ignore = (): void => undefined;
  const run = createRunner(host, ignore, ignore);
  const page = {
    google: { script: { run } },
    document: { body: { textContent: '' } },
    fetch: async () => ({ status: 404 }),
    EventSource: FailingEventSource,
    addEventListener: ignore,
    setTimeout: (action: () => void, ms: number) => setTimeout(action, ms).unref(),
  };
  const context = createContext(page);
  for (const [, script = ''] of html.matchAll(/<script>([\s\S]*?)<\/script>/g)) {
    // As in a browser, an error ends only its own script.
    try {
      runInContext(script, context);
    } catch {}
  }
}
