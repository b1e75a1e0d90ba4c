import type { Duplex } from 'node:stream';
import { once } from '../support/wait.ts';

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const frame = { data: 0, headers: 1, rstStream: 3, settings: 4, goAway: 7 };
const endStream = 0x01;
const endHeaders = 0x04;

type Fields = readonly (readonly [name: string, value: string])[];

/**
 * Sends one HTTP/2 request (RFC 9113) with exactly these fields, content and trailer fields, over a
 * connection that has negotiated `h2`. Node's client refuses to send some fields that a hostile client
 * sends. Returns the status, or the type of the frame with which the server refused the request.
 */
export async function requestRaw(
  socket: Duplex,
  fields: Fields,
  { data, trailers }: { readonly data?: string; readonly trailers?: Fields } = {},
): Promise<number | 'reset' | 'goaway'> {
  const parts: readonly (readonly [type: number, flags: number, payload: Buffer])[] = [
    [frame.headers, endHeaders, blockOf(fields)],
    ...(data === undefined ? [] : [[frame.data, 0, Buffer.from(data)] as const]),
    ...(trailers === undefined ? [] : [[frame.headers, endHeaders, blockOf(trailers)] as const]),
  ];
  const frames = parts.map(([type, flags, payload], at) =>
    frameOf(type, at === parts.length - 1 ? flags | endStream : flags, 1, payload),
  );
  const settings = frameOf(frame.settings, 0, 0, Buffer.alloc(0));
  socket.write(Buffer.concat([Buffer.from(preface), settings, ...frames]));
  let received = Buffer.alloc(0);
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    received = Buffer.concat([received, chunk]);
    while (received.length >= 9 && received.length >= 9 + received.readUIntBE(0, 3)) {
      const end = 9 + received.readUIntBE(0, 3);
      const type = received[3];
      if (type === frame.rstStream) return 'reset';
      if (type === frame.goAway) return 'goaway';
      if (type === frame.headers) return statusOf(received.subarray(9, end));
      received = received.subarray(end);
    }
  }
}

function frameOf(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function blockOf(fields: Fields): Buffer {
  return Buffer.concat(fields.map(([name, value]) => literalOf(name, value)));
}

/** A literal field without indexing and without Huffman coding (RFC 7541 6.2.2), of short texts. */
function literalOf(name: string, value: string): Buffer {
  const texts = [name, value].map((text) => {
    const bytes = Buffer.from(text, 'latin1');
    if (bytes.length > 126) throw new RangeError(`${text} is too long for one byte of length`);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  return Buffer.concat([Buffer.from([0]), ...texts]);
}

/** The statuses of the static table (RFC 7541 appendix A), from index 8 on. */
const indexedStatuses = [200, 204, 206, 304, 400, 404, 500];

/** Decodes `:status`, the first field: an index, or the name of index 8 with a literal of three digits. */
function statusOf(block: Buffer): number {
  const [first = 0, length = 0] = block;
  const indexed = indexedStatuses[(first & 0x7f) - 8];
  if (first >= 0x80 && indexed !== undefined) return indexed;
  const isHuffman = length >= 0x80;
  if (isHuffman) return huffmanDigits(block.subarray(2, 2 + (length & 0x7f)));
  return Number(block.toString('latin1', 2, 2 + length));
}

/** Decodes digits in HPACK's Huffman code (RFC 7541 appendix B): 0 to 2 have 5 bits, 3 to 9 have 6. */
function huffmanDigits(bytes: Buffer): number {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  let digits = '';
  for (let at = 0; digits.length < 3;) {
    const short = Number.parseInt(bits.slice(at, at + 5), 2);
    const isShort = short <= 2;
    digits += isShort ? short : Number.parseInt(bits.slice(at, at + 6), 2) - 0x19 + 3;
    at += isShort ? 5 : 6;
  }
  return Number(digits);
}
