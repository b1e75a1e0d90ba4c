import { Readable } from 'node:stream';

import type { RequestBody } from '../../handler/request.ts';

/** A body that has arrived as a whole, together with its head. */
export class WholeBody implements RequestBody {
  readonly #bytes: Buffer;
  #stream: Readable | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Made only when it is needed: most routes that read a body take it as a whole. */
  get stream(): Readable {
    this.#stream ??= Readable.from([this.#bytes], { objectMode: false });
    return this.#stream;
  }

  isComplete(): boolean {
    return true;
  }

  takeWhole(): Uint8Array | undefined {
    return this.#bytes;
  }

  isCut(): boolean {
    return false;
  }

  proceed(): void {
    // The client did not wait: its body is here.
  }
}
