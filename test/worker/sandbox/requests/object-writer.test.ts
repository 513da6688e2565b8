// Objects of unknown length arrive in the bucket whole, and little of them is held at a time.
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObjectWriter, type WritableBucket } from '../../../../worker/sandbox/requests/object-writer.ts';

const MEBIBYTE = 1024 * 1024;

function pseudoRandom(bytes: number): Uint8Array {
  const content = new Uint8Array(bytes);
  let state = 1;
  for (let at = 0; at < bytes; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
    content[at] = state >>> 16;
  }
  return content;
}

async function write(key: string, chunks: readonly Uint8Array[], partBytes: number): Promise<void> {
  const writer = new ObjectWriter(env.SANDBOX_FILES, key, partBytes);
  for (const chunk of chunks) await writer.write(chunk);
  await writer.close();
}

describe('an object', () => {
  it.each([
    ['below the size of a part', 1],
    ['of one part exactly', 5],
    ['of two parts and more', 11],
  ])('%s is stored as it was written', async (_, mebibytes) => {
    const content = pseudoRandom(mebibytes * MEBIBYTE);
    const chunks = Array.from({ length: Math.ceil(content.length / 700_001) }, (_, at) =>
      content.subarray(at * 700_001, (at + 1) * 700_001),
    );
    await write('whole', chunks, 5 * MEBIBYTE);
    const stored = await env.SANDBOX_FILES.get('whole');
    const bytes = new Uint8Array((await stored?.arrayBuffer()) ?? new ArrayBuffer());
    expect(bytes.length).toBe(content.length);
    expect(bytes.every((byte, at) => byte === content[at])).toBe(true);
  });

  it('without a byte is stored empty', async () => {
    await write('empty', [], 5 * MEBIBYTE);
    expect((await env.SANDBOX_FILES.head('empty'))?.size).toBe(0);
  });

  it('that is given up is not there, nor are its parts', async () => {
    const writer = new ObjectWriter(env.SANDBOX_FILES, 'given-up', 5 * MEBIBYTE);
    await writer.write(pseudoRandom(6 * MEBIBYTE));
    await writer.abort();
    expect(await env.SANDBOX_FILES.head('given-up')).toBeNull();
  });

  it('is cut into parts of one size, the last at most that, whatever the chunks are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 40 })),
        fc.integer({ min: 1, max: 17 }),
        async (chunks, size) => {
          const parts: number[][] = [];
          const whole: number[][] = [];
          const bucket: WritableBucket = {
            put: async (_key, value) => whole.push([...value]),
            createMultipartUpload: async () => ({
              uploadPart: async (partNumber, value) => {
                parts.push([...value]);
                return { partNumber, etag: '' };
              },
              complete: async () => {},
              abort: async () => {},
            }),
          };
          const writer = new ObjectWriter(bucket, 'k', size);
          for (const chunk of chunks) await writer.write(chunk);
          await writer.close();
          expect([...whole, ...parts].flat()).toEqual(chunks.flatMap((chunk) => [...chunk]));
          expect(parts.slice(0, -1).every((part) => part.length === size)).toBe(true);
          expect(parts.every((part) => part.length > 0 && part.length <= size)).toBe(true);
          expect(whole.length > 0).toBe(parts.length === 0);
        },
      ),
    );
  });
});
