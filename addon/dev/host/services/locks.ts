// LockService on the host: mutual exclusion between concurrent executions.
import { type Context, Exception, type Handlers } from '../calls.ts';

interface Lock {
  holder: Context | null;
  readonly waiting: Waiter[];
}

interface Waiter {
  readonly context: Context;
  readonly settle: (got: boolean) => void;
}

/** All locks of one host. An execution releases its locks when it ends. */
export class Locks {
  readonly #after: (ms: number, run: () => void) => () => void;
  readonly #locks = new Map<string, Lock>();

  constructor(after: (ms: number, run: () => void) => () => void) {
    this.#after = after;
  }

  /** Call handlers; the first argument selects the lock. */
  readonly handlers: Handlers = {
    'LockService.Lock.tryLock': (context, args) => this.#take(context, args.text(0), args.number(1)),
    'LockService.Lock.waitLock': async (context, args) => {
      if (await this.#take(context, args.text(0), args.number(1))) return null;
      throw new Exception('Lock timeout: another process was holding the lock for too long.');
    },
    'LockService.Lock.hasLock': (context, args) => this.#lock(context, args.text(0)).holder === context,
    'LockService.Lock.releaseLock': (context, args) => {
      release(this.#lock(context, args.text(0)), context);
      return null;
    },
  };

  #take(context: Context, which: string, ms: number): Promise<boolean> {
    const lock = this.#lock(context, which);
    context.atEnd.add(() => release(lock, context));
    if (lock.holder === null || lock.holder === context) {
      lock.holder = context;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const leave = (): void => {
        cancel();
        const index = lock.waiting.indexOf(waiter);
        if (index >= 0) lock.waiting.splice(index, 1);
        context.atEnd.delete(leave);
      };
      const waiter: Waiter = {
        context,
        settle: (got) => {
          leave();
          resolve(got);
        },
      };
      const cancel = this.#after(Math.max(0, ms), () => waiter.settle(false));
      lock.waiting.push(waiter);
      context.atEnd.add(leave);
    });
  }

  #lock(context: Context, which: string): Lock {
    const name = which === 'user' ? `user ${context.user}` : which;
    const lock = this.#locks.get(name) ?? { holder: null, waiting: [] };
    this.#locks.set(name, lock);
    return lock;
  }
}

function release(lock: Lock, context: Context): void {
  if (lock.holder !== context) return;
  const next = lock.waiting[0];
  lock.holder = next ? next.context : null;
  next?.settle(true);
}
