// Reads the text of a body without holding more of it than allowed.

/**
 * Reads a body as UTF-8.
 * @param body - a request or response
 * @param maxBytes - of the body, unpacked
 * @returns undefined where it is longer; the rest is not read
 * @throws what the stream throws
 */
export async function readText(body: Request | Response, maxBytes: number): Promise<string | undefined> {
  if (body.body === null) return '';
  const reader = body.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
