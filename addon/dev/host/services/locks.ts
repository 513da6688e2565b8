// LockService on the host: mutual exclusion between concurrent executions.
import { type Context, Exception, type Handlers } from '../calls.ts';

interface Lock {
  holder: Context | null;
  readonly waiting: Waiter[];
}

interface Waiter {
  readonly context: Context;
  readonly settle: (acquired: boolean) => void;
}

/** All locks of one host. An execution releases its locks when it ends. */
export class Locks {
  readonly #setTimer: (ms: number, run: () => void) => () => void;
  readonly #locks = new Map<string, Lock>();

  constructor(setTimer: (ms: number, run: () => void) => () => void) {
    this.#setTimer = setTimer;
  }

  /** Call handlers; the first argument selects the lock. */
  readonly handlers: Handlers = {
    'LockService.Lock.tryLock': (context, args) => this.#acquire(context, args.string(0), args.number(1)),
    'LockService.Lock.waitLock': async (context, args) => {
      if (await this.#acquire(context, args.string(0), args.number(1))) return null;
      throw new Exception('Lock timeout: another process was holding the lock for too long.');
    },
    'LockService.Lock.releaseLock': (context, args) => {
      release(this.#getLock(context, args.string(0)), context);
      return null;
    },
  };

  #acquire(context: Context, scope: string, ms: number): Promise<boolean> {
    const lock = this.#getLock(context, scope);
    context.cleanups.add(() => release(lock, context));
    if (lock.holder === null || lock.holder === context) {
      lock.holder = context;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const removeWaiter = (): void => {
        cancel();
        const index = lock.waiting.indexOf(waiter);
        if (index >= 0) lock.waiting.splice(index, 1);
        context.cleanups.delete(removeWaiter);
      };
      const waiter: Waiter = {
        context,
        settle: (acquired) => {
          removeWaiter();
          resolve(acquired);
        },
      };
      const cancel = this.#setTimer(Math.max(0, ms), () => waiter.settle(false));
      lock.waiting.push(waiter);
      context.cleanups.add(removeWaiter);
    });
  }

  #getLock(context: Context, scope: string): Lock {
    const name = scope === 'user' ? `user ${context.user}` : scope;
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
