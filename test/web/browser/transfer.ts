import type { CDPSession } from 'playwright-core';

/** A response that a page received, or receives. */
export interface Transferred {
  readonly url: string;
  /** Its bytes so far, compressed, with its headers. A cached response has none. */
  bytes: number;
  hasEnded: boolean;
}

/**
 * Counts what a page transfers from now on, streams included, which the page itself cannot count before
 * they end.
 */
export async function watchTransfer(devtools: CDPSession): Promise<readonly Transferred[]> {
  const all: Transferred[] = [];
  const byId = new Map<string, Transferred>();
  devtools.on('Network.requestWillBeSent', ({ requestId, request: { url } }) => {
    if (!url.startsWith('http')) return;
    const one = { url, bytes: 0, hasEnded: false };
    byId.set(requestId, one);
    all.push(one);
  });
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    const one = byId.get(requestId);
    // A response from the cache has the length that it had when it was transferred.
    if (one !== undefined && response.fromDiskCache !== true) {
      one.bytes += response.encodedDataLength;
    }
  });
  devtools.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const one = byId.get(requestId);
    if (one !== undefined) one.bytes += encodedDataLength;
  });
  devtools.on('Network.loadingFinished', ({ requestId }) => {
    const one = byId.get(requestId);
    if (one !== undefined) one.hasEnded = true;
  });
  await devtools.send('Network.enable');
  return all;
}
