import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';

/** Node's parser refuses longer lines. */
const lineBytesMax = 64 * 1024;

/** A request line of RTSP or ICE. The name of a header field ends with a colon, so no header line matches. */
const foreignLine = /(?<=^|\n)([^\s:]+ [^ \r\n]+) (?:RTSP|ICE)\/(\d\.\d)\r?\n/g;

/** What is known about the lines of a connection. */
interface Lines {
  /** The beginning of the line that the latest chunk continues. */
  begun: string;
  /** The beginning of the line that is not complete after the latest chunk. */
  rest: string;
  /** Method, target and version of the request lines of other protocols. */
  readonly foreign: Set<string>;
}

const linesOf = new WeakMap<Duplex, Lines>();

/**
 * Watches the lines of a connection that Node's parser reads. Node reports request lines of RTSP and ICE
 * (`GET / RTSP/1.0`) as HTTP, and a too large head without its first line. It must be called after
 * Node's own listeners are in place.
 */
export function watchLines(socket: Socket): void {
  const lines: Lines = { begun: '', rest: '', foreign: new Set() };
  linesOf.set(socket, lines);
  socket.prependListener('data', (chunk: Buffer) => {
    const { rest } = lines;
    lines.begun = rest;
    const isSuspicious =
      chunk.includes('RTSP/') ||
      chunk.includes(' ICE/') ||
      (rest !== '' && namesForeign(rest + lineBegin(chunk)));
    if (isSuspicious) {
      const text = rest + chunk.toString('latin1');
      for (const [, line, version] of text.matchAll(foreignLine)) {
        lines.foreign.add(`${line} ${version}`);
      }
    }
    const lineStart = chunk.lastIndexOf(0x0a) + 1;
    if (lineStart === chunk.length) {
      lines.rest = '';
      return;
    }
    const unfinished = (lineStart === 0 ? rest : '') + chunk.toString('latin1', lineStart);
    lines.rest = unfinished.length > lineBytesMax ? '' : unfinished;
  });
}

function namesForeign(line: string): boolean {
  return line.includes('RTSP/') || line.includes(' ICE/');
}

/** The part of a chunk that ends the line before it. */
function lineBegin(chunk: Buffer): string {
  const lineEnd = chunk.indexOf(0x0a) + 1;
  return chunk.toString('latin1', 0, lineEnd === 0 ? chunk.length : lineEnd);
}

/**
 * Whether a request that Node has read has a request line of another protocol. Node reports the version of
 * that line as the version of HTTP.
 */
export function isForeign({ socket, method, url, httpVersion }: IncomingMessage): boolean {
  const foreign = linesOf.get(socket)?.foreign;
  if (foreign === undefined || foreign.size === 0) return false;
  return foreign.has(`${method} ${url} ${httpVersion}`);
}

/** The method and the target of a request line. No header line matches, as in {@link foreignLine}. */
const requestLine = /(?<=^|\n)[^\s:]+ +((?:[a-z][a-z\d+.-]*:\/)?\/[^ \r\n]*)/gi;

/** The target of the only request line of a chunk; undefined if the chunk has none, or several. */
export function targetIn(socket: Duplex, chunk: unknown): string | undefined {
  const [first, second] = firstLines(socket, chunk).matchAll(requestLine);
  return second === undefined ? first?.[1] : undefined;
}

/** Whether the first line of a chunk is a request line over a length. */
export function isRequestLineOver(socket: Duplex, chunk: unknown, bytesMax: number): boolean {
  const text = firstLines(socket, chunk);
  if (!/^[A-Z]+ /.test(text)) return false;
  const lineEnd = text.indexOf('\n');
  return lineEnd === -1 || lineEnd >= bytesMax;
}

/** The text of a chunk, with the part of its first line in earlier chunks. */
function firstLines(socket: Duplex, chunk: unknown): string {
  if (!Buffer.isBuffer(chunk)) return '';
  return (linesOf.get(socket)?.begun ?? '') + chunk.toString('latin1');
}

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
