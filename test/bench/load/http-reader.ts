// Reads answers of HTTP/1.1 off a connection on which one question is open at a time.

/** An answer, as far as the load counts it. */
export interface Answered {
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
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;
const CACHE = /\r\nx-cache: *(\S+)/i;

/** What is read of an answer whose end has not come yet. */
interface Begun {
  answered: Answered;
  /** Octets that the body still has; undefined where it is chunked. */
  left: number | undefined;
}

/** The reader of one connection. */
export class HttpReader {
  /** What has come of a head that has not ended, or the end of a chunked body. */
  #kept: Buffer = Buffer.alloc(0);
  #begun: Begun | undefined;

  /**
   * Takes what has come.
   * @returns the answer, once it has come to its end
   * @throws Error where it is no answer, or one of which the end can't be told
   */
  read(chunk: Buffer): Answered | undefined {
    if (this.#begun !== undefined) return this.#body(this.#begun, chunk);
    const whole = this.#kept.length === 0 ? chunk : Buffer.concat([this.#kept, chunk]);
    const end = whole.indexOf(HEAD_END);
    if (end < 0) {
      this.#kept = whole;
      return undefined;
    }
    this.#kept = Buffer.alloc(0);
    const head = whole.toString('latin1', 0, end);
    const status = Number(STATUS.exec(head)?.[1]);
    const length = LENGTH.exec(head)?.[1];
    if (Number.isNaN(status) || (length === undefined && !CHUNKED.test(head))) {
      throw new Error(`no answer that can be read: ${head.slice(0, 300)}`);
    }
    const answered = { status, cache: CACHE.exec(head)?.[1] ?? '', bytes: 0 };
    this.#begun = { answered, left: length === undefined ? undefined : Number(length) };
    return this.#body(this.#begun, whole.subarray(end + HEAD_END.length));
  }

  #body(begun: Begun, chunk: Buffer): Answered | undefined {
    const { answered } = begun;
    answered.bytes += chunk.length;
    if (begun.left === undefined) {
      const end = Buffer.concat([this.#kept, chunk.subarray(-LAST_CHUNK.length)]).subarray(
        -LAST_CHUNK.length,
      );
      this.#kept = end;
      if (end.toString('latin1') !== LAST_CHUNK) return undefined;
      this.#kept = Buffer.alloc(0);
    } else {
      begun.left -= chunk.length;
      if (begun.left < 0) throw new Error('more came than the answer has');
      if (begun.left > 0) return undefined;
    }
    this.#begun = undefined;
    return answered;
  }
}
