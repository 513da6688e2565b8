// Runs jobs in threads: enforces concurrency and time limits and dispatches the threads' calls.
import { Args, type Context, Exception, failureOf, type Handlers, HostError, WithBytes } from './calls.ts';
import { permit, RUNTIME_MS, SIMULTANEOUS } from './permissions.ts';
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

export interface Start {
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
  readonly askClock: boolean;
  readonly startExecution: () => Execution;
  readonly after: (ms: number, run: () => void) => () => void;
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
  refusal(context: Context): Failure | null {
    if (this.#closed) throw new HostError({ name: 'Error', message: 'the host is closed' });
    const mine = [...this.#running.values()].filter((user) => user === context.viewer);
    if (mine.length < SIMULTANEOUS) return null;
    const message = 'There are too many scripts running simultaneously for this Google user account.';
    return { name: 'Exception', message };
  }

  /** Runs one job. Rejects if its thread breaks or the runner is closed. */
  async run(context: Context, { functionName, args, kind, authMode }: Start): Promise<Outcome> {
    const { after, askClock, code, onEnd, startExecution, timeZone } = this.#options;
    const execution = startExecution();
    this.#running.set(execution, context.viewer);
    let late = false;
    const cancel = after(RUNTIME_MS[kind], () => {
      late = true;
      execution.terminate();
    });
    const job: Job = { code, functionName, args: pack(args), kind, authMode, askClock, timeZone };
    try {
      return await execution.run(job, (call) => this.#answer(context, call));
    } catch (broken) {
      if (!late) throw broken;
      return { done: false, failure: { name: 'Exception', message: 'Exceeded maximum execution time' } };
    } finally {
      cancel();
      this.#running.delete(execution);
      for (const undo of [...context.atEnd]) undo();
      await onEnd(context);
    }
  }

  /** Terminates all executions and accepts no new ones. */
  close(): void {
    this.#closed = true;
    for (const execution of [...this.#running.keys()]) execution.terminate();
  }

  async #answer(context: Context, call: Call): Promise<Reply> {
    try {
      permit(context, this.#options.manifest, call.name);
      const handler = this.#options.handlers[call.name];
      if (!handler) throw new Exception(`not emulated: ${call.name}`);
      const given = await handler(context, new Args(unpack(call.args)), call.bytes);
      return given instanceof WithBytes
        ? { ok: true, value: pack(given.value), bytes: given.bytes }
        : { ok: true, value: pack(given), bytes: [] };
    } catch (thrown) {
      return { ok: false, failure: failureOf(thrown) };
    }
  }
}
