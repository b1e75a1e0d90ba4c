import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';

import type { Coding } from './negotiation.ts';

/** The content encodings that compress. */
export type Compression = Exclude<Coding, 'identity'>;

/**
 * Levels that take 0.1 to 0.3 ms for the largest panel (40 KB) and reduce it to a quarter. Higher levels
 * save another tenth and take two to three times as long. The levels are fixed, because an ETag names
 * the compressed bytes.
 */
const gzipOptions = { level: 4 };
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

function brotliOptions(bytes: Uint8Array): { readonly params: Record<number, number> } {
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: size } = constants;
  return { params: { [quality]: 4, [size]: bytes.length } };
}

const gzipLater = promisify<Uint8Array, typeof gzipOptions, Buffer>(gzip);
const zstdLater = promisify<Uint8Array, typeof zstdOptions, Buffer>(zstdCompress);
const brotliLater = promisify<Uint8Array, ReturnType<typeof brotliOptions>, Buffer>(brotliCompress);

/** Compresses on this thread. For bodies that take well under a millisecond. */
export function compressNow(bytes: Uint8Array, coding: Compression): Buffer {
  if (coding === 'gzip') return gzipSync(bytes, gzipOptions);
  if (coding === 'zstd') return zstdCompressSync(bytes, zstdOptions);
  return brotliCompressSync(bytes, brotliOptions(bytes));
}

/** Compresses on a thread of Node's pool. The bytes are those of {@link compressNow}. */
export function compressAside(bytes: Uint8Array, coding: Compression): Promise<Buffer> {
  if (coding === 'gzip') return gzipLater(bytes, gzipOptions);
  if (coding === 'zstd') return zstdLater(bytes, zstdOptions);
  return brotliLater(bytes, brotliOptions(bytes));
}
