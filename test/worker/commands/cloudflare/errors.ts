// Errors of the stand-in of Cloudflare's API.

/** A refusal with one of Cloudflare's error codes. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
