// Runs jobs in threads: enforces concurrency and time limits and dispatches the threads' calls.
import { Args, BinaryResult, type Context, Exception, type Handlers, HostError, toFailure } from './calls.ts';
import { translate } from './languages.ts';
import { CONSENT_REQUIRED, checkPermission, MAX_EXECUTIONS, RUNTIME_MS } from './permissions.ts';
import type {
  AuthMode,
  Call,
  Execution,
  ExecutionKind,
  Failure,
  Job,
  Outcome,
  Reply,
} from './threads/protocol.ts';
import { pack, unpack } from './threads/protocol.ts';
import type { Cell, HostOptions } from './types.ts';

export interface ExecutionRequest {
  readonly kind: ExecutionKind;
  readonly functionName: string;
  readonly args: readonly unknown[];
  readonly cell: Cell | null;
  readonly authMode: AuthMode;
  /** The user who runs it; defaults to the current viewer. */
  readonly user?: string;
}

export interface RunnerOptions extends Pick<HostOptions, 'code' | 'manifest' | 'startExecution'> {
  readonly timeZone: string;
  /** The host's clock in ms, which `Date` in scripts uses, too; undefined for the system clock. */
  readonly now: (() => number) | undefined;
  readonly onServiceCall: () => void;
  readonly setTimer: (ms: number, run: () => void) => () => void;
  readonly handlers: Handlers;
  /** The files that scripts can read under these settings. */
  readonly getFiles: (settings: Context['settings']) => Job['files'];
  /** Called after every execution, also after a failed one. */
  readonly onEnd: (context: Context) => Promise<void>;
}

const TIMED_OUT = 'Exceeded maximum execution time';

/** Calls of the realm itself, not of a service. */
const FREE_CALLS = new Set(['Clock.now', 'Console.write']);

/** Schedules a callback. Returns its cancel function. */
export function setSystemTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

export class Runner {
  readonly #options: RunnerOptions;
  readonly #running = new Map<Execution, string>();
  #closed = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Returns a failure if the user runs too many executions. Guide "Quotas", exceptions: 30 executions of one user at a time. */
  checkConcurrency(context: Context): Failure | null {
    if (this.#closed) throw new HostError({ name: 'Error', message: 'the host is closed' });
    const running = [...this.#running.values()].filter((user) => user === context.viewer);
    if (running.length < MAX_EXECUTIONS) return null;
    const message = 'There are too many scripts running simultaneously for this Google user account.';
    return { name: 'Exception', message };
  }

  /** Runs one job. Rejects if its thread breaks or the runner is closed. */
  async run(context: Context, { functionName, args, kind, authMode }: ExecutionRequest): Promise<Outcome> {
    const { setTimer, now, code, onEnd, startExecution, timeZone, getFiles } = this.#options;
    const { asciiDigests, serviceLatencyMs } = context.settings;
    const execution = startExecution();
    this.#running.set(execution, context.viewer);
    let ended: string | undefined;
    const end = (message: string): void => {
      ended = message;
      execution.terminate();
    };
    const cancel = setTimer(RUNTIME_MS[kind], () => end(TIMED_OUT));
    const useHostClock = now !== undefined || serviceLatencyMs > 0;
    const job: Job = {
      ...{ code, functionName, args: pack(args), kind, authMode, useHostClock, asciiDigests, timeZone },
      files: getFiles(context.settings),
    };
    const getTime = (): number => (now ?? Date.now)() + context.aheadMs;
    const startedAt = getTime();
    const handleCall = async (call: Call): Promise<Reply> => {
      if (!FREE_CALLS.has(call.name)) {
        this.#options.onServiceCall();
        context.aheadMs += serviceLatencyMs;
      }
      const isLate = getTime() - startedAt > RUNTIME_MS[kind];
      const reply: Reply = isLate
        ? { ok: false, failure: { name: 'Exception', message: TIMED_OUT } }
        : await this.#handleCall(context, call);
      if (!reply.ok && (isLate || reply.failure.name === CONSENT_REQUIRED)) end(reply.failure.message);
      return reply;
    };
    try {
      return await execution.run(job, handleCall);
    } catch (error) {
      if (ended === undefined) throw error;
      return { done: false, failure: { name: 'Exception', message: ended } };
    } finally {
      cancel();
      this.#running.delete(execution);
      for (const cleanUp of [...context.cleanups]) cleanUp();
      await onEnd(context);
    }
  }

  /** Terminates all executions and accepts no new ones. */
  close(): void {
    this.#closed = true;
    for (const execution of [...this.#running.keys()]) execution.terminate();
  }

  async #handleCall(context: Context, call: Call): Promise<Reply> {
    try {
      checkPermission(context, this.#options.manifest, call.name);
      const handler = this.#options.handlers[call.name];
      if (!handler) throw new Exception(`not emulated: ${call.name}`);
      const result = await handler(context, new Args(unpack(call.args)), call.bytes);
      return result instanceof BinaryResult
        ? { ok: true, value: pack(result.value), bytes: result.bytes }
        : { ok: true, value: pack(result), bytes: [] };
    } catch (thrown) {
      const { name, message } = toFailure(thrown);
      // A TypeError is a mistake in a call of the host, not one of Google's messages.
      const isGoogles = thrown instanceof Exception || name === CONSENT_REQUIRED;
      const { language } = context.settings;
      return { ok: false, failure: { name, message: isGoogles ? translate(message, language) : message } };
    }
  }
}
