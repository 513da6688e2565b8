// Reads bodies with a size limit.

/**
 * Reads a body as UTF-8.
 * @param maxBytes - limit after decompression
 * @returns undefined if the body is larger; the rest is not read
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

const requestTexts = new WeakMap<Request, Promise<string | undefined>>();

/** Reads the body of a request like {@link readText}. Unlike a body, its text can be read again. */
export function readRequestText(request: Request, maxBytes: number): Promise<string | undefined> {
  const text = requestTexts.get(request) ?? readText(request, maxBytes);
  requestTexts.set(request, text);
  return text;
}
