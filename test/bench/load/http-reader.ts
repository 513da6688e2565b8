// Reads answers of HTTP/1.1 off a connection on which one question is open at a time.

/** An answer, as far as the load counts it. */
export interface ResponseSummary {
  status: number;
  /** `x-cache`; empty where there is none. */
  cache: string;
  /** Octets of the body, with the frames of a chunked one. */
  bytes: number;
}

const HEAD_END = '\r\n\r\n';
/** Bodies are JSON, in which this can't stand: it has no bare line ends. */
const LAST_CHUNK = '\r\n0\r\n\r\n';
const STATUS = /^HTTP\/1\.[01] (\d{3})/;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;
const CACHE = /\r\nx-cache: *(\S+)/i;

/** What is read of an answer whose end has not come yet. */
interface PartialResponse {
  summary: ResponseSummary;
  /** Octets that the body still has; undefined where it is chunked. */
  remainingBytes: number | undefined;
}

/** The reader of one connection. */
export class HttpReader {
  /** What has come of a head that has not ended, or the end of a chunked body. */
  #buffered: Buffer = Buffer.alloc(0);
  #partial: PartialResponse | undefined;

  /**
   * Takes what has come.
   * @returns the answer, once it has come to its end
   * @throws Error where it is no answer, or one of which the end can't be told
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
