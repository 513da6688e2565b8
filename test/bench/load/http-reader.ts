// Reads HTTP/1.1 responses from a connection with one request in flight.

/** The parts of a response that the load generator counts. */
export interface ResponseSummary {
  status: number;
  /** The `x-cache` header; empty if absent. */
  cache: string;
  /** Bytes of the body, including the framing of a chunked one. */
  bytes: number;
}

const HEAD_END = '\r\n\r\n';
/** The end of a chunked body. Bodies are JSON, which contains no bare line ends. */
const LAST_CHUNK = '\r\n0\r\n\r\n';
const STATUS = /^HTTP\/1\.[01] (\d{3})/;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;
const CACHE = /\r\nx-cache: *(\S+)/i;

/** A response whose end has not arrived. */
interface PartialResponse {
  summary: ResponseSummary;
  /** Bytes of the body that are missing; undefined if it is chunked. */
  remainingBytes: number | undefined;
}

/** Reads the responses of one connection. */
export class HttpReader {
  /** An incomplete head, or the last bytes of a chunked body. */
  #buffered: Buffer = Buffer.alloc(0);
  #partial: PartialResponse | undefined;

  /**
   * Reads a chunk.
   * @returns the response when it is complete
   * @throws Error if the data is no HTTP response, or its length is unknown
   */
  read(chunk: Buffer): ResponseSummary | undefined {
    if (this.#partial !== undefined) return this.#readBody(this.#partial, chunk);
    const buffered = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk]);
    const end = buffered.indexOf(HEAD_END);
    if (end < 0) {
      this.#buffered = buffered;
      return undefined;
    }
    this.#buffered = Buffer.alloc(0);
    const head = buffered.toString('latin1', 0, end);
    const status = Number(STATUS.exec(head)?.[1]);
    const length = CONTENT_LENGTH.exec(head)?.[1];
    if (Number.isNaN(status) || (length === undefined && !CHUNKED.test(head))) {
      throw new Error(`no answer that can be read: ${head.slice(0, 300)}`);
    }
    const summary = { status, cache: CACHE.exec(head)?.[1] ?? '', bytes: 0 };
    this.#partial = { summary, remainingBytes: length === undefined ? undefined : Number(length) };
    return this.#readBody(this.#partial, buffered.subarray(end + HEAD_END.length));
  }

  #readBody(partial: PartialResponse, chunk: Buffer): ResponseSummary | undefined {
    const { summary } = partial;
    summary.bytes += chunk.length;
    if (partial.remainingBytes === undefined) {
      const end = Buffer.concat([this.#buffered, chunk.subarray(-LAST_CHUNK.length)]).subarray(
        -LAST_CHUNK.length,
      );
      this.#buffered = end;
      if (end.toString('latin1') !== LAST_CHUNK) return undefined;
      this.#buffered = Buffer.alloc(0);
    } else {
      partial.remainingBytes -= chunk.length;
      if (partial.remainingBytes < 0) throw new Error('more came than the answer has');
      if (partial.remainingBytes > 0) return undefined;
    }
    this.#partial = undefined;
    return summary;
  }
}
