// Runs jobs in threads: enforces concurrency and time limits and dispatches the threads' calls.
import { Args, BinaryResult, type Context, Exception, type Handlers, HostError, toFailure } from './calls.ts';
import { checkPermission, MAX_EXECUTIONS, RUNTIME_MS } from './permissions.ts';
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
import { pack, unpack } from './threads/serializer.ts';
import type { Cell, Manifest } from './types.ts';

export interface ExecutionRequest {
  readonly kind: ExecutionKind;
  readonly functionName: string;
  readonly args: readonly unknown[];
  readonly cell: Cell | null;
  readonly authMode: AuthMode;
  /** The user who runs it; defaults to the current viewer. */
  readonly user?: string;
}

export interface RunnerOptions {
  readonly code: string;
  readonly manifest: Manifest;
  readonly timeZone: string;
  /** true: `Date` in scripts uses the host's clock. */
  readonly useHostClock: boolean;
  readonly startExecution: () => Execution;
  readonly setTimer: (ms: number, run: () => void) => () => void;
  readonly handlers: Handlers;
  /** Called after every execution, also after a failed one. */
  readonly onEnd: (context: Context) => Promise<void>;
}

/** Executions of one host. */
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
    const { setTimer, useHostClock, code, onEnd, startExecution, timeZone } = this.#options;
    const execution = startExecution();
    this.#running.set(execution, context.viewer);
    let timedOut = false;
    const cancel = setTimer(RUNTIME_MS[kind], () => {
      timedOut = true;
      execution.terminate();
    });
    const job: Job = { code, functionName, args: pack(args), kind, authMode, useHostClock, timeZone };
    try {
      return await execution.run(job, (call) => this.#handleCall(context, call));
    } catch (error) {
      if (!timedOut) throw error;
      return { done: false, failure: { name: 'Exception', message: 'Exceeded maximum execution time' } };
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
      return { ok: false, failure: toFailure(thrown) };
    }
  }
}
