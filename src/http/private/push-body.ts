import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';

import type { Request, RequestBody } from '../handler/request.ts';

/** A body is longer than the limit, compressed or decoded. */
export class BodyTooLong extends Error {
  constructor() {
    super('the body is too long');
    this.name = 'BodyTooLong';
  }
}

/** A body expands beyond {@link expansionRatioMax}. */
export class BodyExpandsTooFar extends Error {
  constructor() {
    super(`the body expands to more than ${expansionRatioMax} times its size`);
    this.name = 'BodyExpandsTooFar';
  }
}

/**
 * Maximum ratio of the decoded to the compressed size of a body. It applies once more than
 * {@link ratioFreeBytes} have been decoded. Measured: updates compress 5 to 8 times, 50 times where only
 * their instants differ; a body without updates, a thousand times.
 */
export const expansionRatioMax = 100;

/** Up to this size in bytes a body may expand whatever the ratio. */
export const ratioFreeBytes = 1_048_576;

/** The size of a decoded chunk, in bytes. */
const decodedChunkBytes = 65_536;

/** A body is not in the encoding that its head names. */
export class CodingBroken extends Error {
  constructor(cause: unknown) {
    super('the body is not gzip', { cause });
    this.name = 'CodingBroken';
  }
}

/** The supported encodings of a body. */
export type BodyCoding = 'identity' | 'gzip';

/** The encoding that a Content-Encoding field names; undefined if it is not supported. */
export function bodyCoding(header: string | undefined): BodyCoding | undefined {
  const coding = (header ?? 'identity').trim().toLowerCase();
  if (coding === 'x-gzip') return 'gzip';
  return coding === 'identity' || coding === 'gzip' ? coding : undefined;
}

/** Longer bodies are read in chunks, between which other requests are answered. */
const smallBytesMax = 16_384;

/**
 * A small body that has arrived together with its head; otherwise undefined, and nothing has been read. Reading
 * it through a stream would take longer than reading its updates.
 */
export async function smallBody({ headers, body }: Request): Promise<Uint8Array | undefined> {
  const length = Number(headers['content-length'] ?? Infinity);
  if (length > smallBytesMax) return undefined;
  // The parser passes on the head before it reads the rest of the bytes that have arrived.
  await Promise.resolve();
  return body?.takeWhole();
}

/**
 * The chunks of a body, decoded, as fast as the caller takes them. The request stays open when the
 * caller stops early, because its response is still to be sent.
 *
 * @throws BodyTooLong after `bytesMax` bytes, received or decoded.
 * @throws BodyExpandsTooFar as soon as more is decoded than {@link expansionRatioMax} allows.
 * @throws CodingBroken when the body cannot be decoded.
 */
export async function* readBody(
  body: RequestBody,
  { coding, bytesMax }: { readonly coding: BodyCoding; readonly bytesMax: number },
): AsyncIterable<Uint8Array> {
  const { stream } = body;
  const gunzip = coding === 'gzip' ? gunzipped(body) : undefined;
  const decoded: Readable = gunzip ?? stream;
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
    stream.unpipe();
    gunzip?.destroy();
    // The rest is read and dropped: a client that is still sending reads the response only after it.
    stream.resume();
  }
}

function allowedFor(compressedBytes: number): number {
  return Math.max(ratioFreeBytes, compressedBytes * expansionRatioMax);
}

function gunzipped(body: RequestBody): Gunzip {
  const gunzip = createGunzip({ chunkSize: decodedChunkBytes });
  // A pipe does not pass on that the client has left.
  body.stream.on('close', () => {
    if (!body.isComplete()) gunzip.destroy(new Error('the client has left'));
  });
  return body.stream.pipe(gunzip);
}
