// A call within the process can be given up like one over the network.
import { describe, expect, it } from 'vitest';
import { withAbort } from '../../../worker/lib/with-abort.ts';

describe('waiting', () => {
  it('brings the answer', async () => {
    expect(await withAbort(new AbortController().signal, Promise.resolve(5))).toBe(5);
  });

  it('brings the error', async () => {
    const failed = withAbort(new AbortController().signal, Promise.reject(new Error('broken')));
    await expect(failed).rejects.toThrow('broken');
  });

  it('ends with the signal’s reason where no answer comes', async () => {
    const controller = new AbortController();
    const waiting = withAbort(controller.signal, new Promise(() => {}));
    controller.abort(new DOMException('too late', 'TimeoutError'));
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('does not begin behind the signal', async () => {
    await expect(withAbort(AbortSignal.abort(new Error('gone')), Promise.resolve(5))).rejects.toThrow('gone');
  });
});
