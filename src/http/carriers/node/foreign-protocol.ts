import type { Socket } from 'node:net';

/** The longest request line that Node's parser reads, in bytes, and some more. */
const lineBytesMax = 64 * 1024;

/** A request line of RTSP or ICE. The name of a header field has no blank, so no header line matches. */
const foreignLine = /(?:^|\n)[^\s:]+ [^ \r\n]+ (?:RTSP|ICE)\/\d\.\d\r?\n/;

/** Connections that have carried a request line of another protocol. */
const foreign = new WeakSet<Socket>();

/**
 * Looks for request lines of other protocols on a connection. Node's parser accepts those of RTSP and
 * ICE, for example `GET / RTSP/1.0`, and reports them as HTTP. It must be called after Node's own
 * listeners are in place.
 */
export function watchProtocol(socket: Socket): void {
  let rest = '';
  socket.prependListener('data', (chunk: Buffer) => {
    const isSuspicious = rest !== '' || chunk.includes('RTSP/') || chunk.includes(' ICE/');
    if (isSuspicious && foreignLine.test(rest + chunk.toString('latin1'))) foreign.add(socket);
    // The beginning of a line whose end is still to come.
    const lineStart = chunk.lastIndexOf(0x0a) + 1;
    if (lineStart === chunk.length) rest = '';
    else {
      const before = lineStart === 0 ? rest : '';
      rest = before + chunk.toString('latin1', lineStart);
      if (rest.length > lineBytesMax) rest = '';
    }
  });
}

/** Whether a connection has carried a request line of another protocol. */
export function isForeign(socket: Socket): boolean {
  return foreign.has(socket);
}
