// Limits of KV writes, and the repetition of refused ones.
import { logError } from '../../http/log.ts';

/** Shortest expiration that KV accepts, in seconds. */
export const MIN_TTL_S = 60;

const ATTEMPTS = 3;
/** KV accepts one write per second and key. */
const PAUSE_MS = 1_100;

/** Writes to KV; tries three times. @throws the last error */
export async function retryKvWrite(
  write: () => Promise<void>,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  for (let attemptsLeft = ATTEMPTS - 1; ; attemptsLeft -= 1) {
    try {
      return await write();
    } catch (error) {
      logError('kv_delete_failed', error, { attempts_left: attemptsLeft });
      if (attemptsLeft <= 0) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
