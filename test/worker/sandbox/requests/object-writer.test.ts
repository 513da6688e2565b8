// Objects of unknown length, written to R2 in parts.
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ObjectWriter, type WritableBucket } from '../../../../worker/sandbox/requests/object-writer.ts';

const MEBIBYTE = 1024 * 1024;

async function write(key: string, content: Uint8Array): Promise<void> {
  const writer = new ObjectWriter(env.SANDBOX_FILES, key, 5 * MEBIBYTE);
  for (let at = 0; at < content.length; at += 700_001) await writer.write(content.subarray(at, at + 700_001));
  await writer.close();
}

it('stores an object of two parts unchanged', async () => {
  const content = new Uint8Array(6 * MEBIBYTE).map((_, at) => at ^ (at >> 9));
  await write('object', content);
  const stored = await env.SANDBOX_FILES.get('object');
  const bytes = new Uint8Array((await stored?.arrayBuffer()) ?? [1]);
  expect(bytes.length).toBe(content.length);
  expect(bytes.every((byte, at) => byte === content[at])).toBe(true);
});

it('leaves no object after an abort', async () => {
  const writer = new ObjectWriter(env.SANDBOX_FILES, 'aborted', 5 * MEBIBYTE);
  await writer.write(new Uint8Array(6 * MEBIBYTE));
  await writer.abort();
  expect(await env.SANDBOX_FILES.head('aborted')).toBeNull();
});

it('splits any chunks into parts of one size, except the last', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 40 })),
      fc.integer({ min: 1, max: 17 }),
      async (chunks, size) => {
        const parts: number[][] = [];
        const objects: number[][] = [];
        const bucket: WritableBucket = {
          put: async (_key, value) => objects.push([...value]),
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
        expect([...objects, ...parts].flat()).toEqual(chunks.flatMap((chunk) => [...chunk]));
        expect(parts.slice(0, -1).every((part) => part.length === size)).toBe(true);
        expect(parts.every((part) => part.length > 0 && part.length <= size)).toBe(true);
        expect(objects.length > 0).toBe(parts.length === 0);
      },
    ),
  );
});
