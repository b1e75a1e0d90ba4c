import type { Readable } from 'node:stream';

/** Methods whose requests have no content, however they are framed. */
const withoutContent = new Set(['GET', 'HEAD']);

/**
 * Calls back when it is known whether a message that announces a body has any content: with the first bytes, or
 * at its end. Some clients and proxies frame a GET without content as a body of no chunks. A message that is cut
 * before is not answered.
 */
export function whenContentKnown(stream: Readable, carry: (hasContent: boolean) => void): void {
  stream.once('readable', () => {
    const hasContent = stream.readableLength > 0;
    // Otherwise the stream does not know that it has ended.
    if (!hasContent) stream.resume();
    carry(hasContent);
  });
}

/** Whether only the end of a message decides if it has content. A client that waits for 100 (Continue) has. */
export function mayBeEmpty(method: string | undefined, expectation: unknown): boolean {
  return expectation === undefined && withoutContent.has(method ?? '');
}
