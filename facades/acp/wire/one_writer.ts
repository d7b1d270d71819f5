/**
 * A stream that has one writer for all who ask. The SDK takes a writer for each
 * message and lets it go, which costs as much again as the message itself.
 */
export class OneWriter<T> extends WritableStream<T> {
  #writer: WritableStreamDefaultWriter<T> | undefined;

  override getWriter(): WritableStreamDefaultWriter<T> {
    this.#writer ??= Object.assign(super.getWriter(), { releaseLock() {} });
    return this.#writer;
  }
}
