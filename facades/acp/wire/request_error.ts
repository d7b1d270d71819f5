/** What a request is answered with when it fails. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
