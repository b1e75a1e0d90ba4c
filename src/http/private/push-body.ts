import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Gunzip } from 'node:zlib';

/** A body that is longer than it may be, once decoded. */
export class BodyTooLong extends Error {
  constructor() {
    super('the body is too long');
    this.name = 'BodyTooLong';
  }
}

/** A body that expands to more than its size allows; see {@link expansionRatioMax}. */
export class BodyExpandsTooFar extends Error {
  constructor() {
    super(`the body expands to more than ${expansionRatioMax} times its size`);
    this.name = 'BodyExpandsTooFar';
  }
}

/**
 * Maximum ratio of the decoded to the compressed size of a body, judged once more than
 * {@link ratioFreeBytes} have come out. Updates shrink 5 to 8 times, 50 times where only their
 * instants change (measured); a body without updates, a thousand.
 */
export const expansionRatioMax = 100;

/** How far a body may expand whatever the ratio. */
export const ratioFreeBytes = 1_048_576;

/** How much comes out of a gzip at a time. */
const decodedChunkBytes = 65_536;

/** A body that is not in the coding that its head says. */
export class CodingBroken extends Error {
  constructor(cause: unknown) {
    super('the body is not gzip', { cause });
    this.name = 'CodingBroken';
  }
}

/** The codings of a body that are understood. */
export type BodyCoding = 'identity' | 'gzip';

/** The coding that a Content-Encoding header names, or undefined when it is none of ours. */
export function bodyCoding(header: string | undefined): BodyCoding | undefined {
  const coding = (header ?? 'identity').trim().toLowerCase();
  if (coding === 'x-gzip') return 'gzip';
  return coding === 'identity' || coding === 'gzip' ? coding : undefined;
}

/**
 * The chunks of a request's body, decoded, as fast as they are taken. The request survives when the
 * taker stops early: there is an answer to be sent still.
 *
 * @throws BodyTooLong after `bytesMax` bytes, of what comes in or of what it decodes to.
 * @throws BodyExpandsTooFar as soon as more has come out than {@link expansionRatioMax} allows.
 * @throws CodingBroken when it cannot be decoded.
 */
export async function* readBody(
  request: IncomingMessage,
  { coding, bytesMax }: { readonly coding: BodyCoding; readonly bytesMax: number },
): AsyncIterable<Uint8Array> {
  const gunzip = coding === 'gzip' ? gunzipped(request) : undefined;
  const decoded: Readable = gunzip ?? request;
  let bytes = 0;
  try {
    for await (const chunk of decoded.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > bytesMax) throw new BodyTooLong();
      if (gunzip !== undefined && bytes > allowedFor(gunzip.bytesWritten)) {
        throw new BodyExpandsTooFar();
      }
      yield chunk as Uint8Array;
    }
  } catch (fault) {
    const { code = '' } = fault as NodeJS.ErrnoException;
    throw code.startsWith('Z_') ? new CodingBroken(fault) : fault;
  } finally {
    request.unpipe();
    gunzip?.destroy();
    // What is left is read and dropped, so that the client, still sending, gets to read the answer.
    request.resume();
  }
}

function allowedFor(compressedBytes: number): number {
  return Math.max(ratioFreeBytes, compressedBytes * expansionRatioMax);
}

function gunzipped(request: IncomingMessage): Gunzip {
  const gunzip = createGunzip({ chunkSize: decodedChunkBytes });
  // A pipe does not hand on that the client has gone.
  request.on('close', () => {
    if (!request.complete) gunzip.destroy(new Error('the client has gone'));
  });
  return request.pipe(gunzip);
}
