import { connect } from 'node:net';

/** A response as it was received. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. Several values of one name are joined. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Sends exactly the given bytes, without an HTTP client that would correct them. Returns all bytes that
 * the server sends until it closes the connection.
 */
export async function sendRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  return String(await receiveRaw(port, bytes));
}

/** As {@link sendRaw}, without decoding the bytes. */
export async function receiveRaw(port: number, bytes: string | Uint8Array): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(bytes);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of socket) chunks.push(chunk as Buffer);
  } catch (error) {
    // A server that does not read the whole request resets the connection after its response.
    if (chunks.length === 0) throw error;
  }
  return Buffer.concat(chunks);
}

/** As {@link sendRaw}, for one response. */
export async function exchangeRaw(port: number, bytes: string | Uint8Array): Promise<RawAnswer> {
  return parseAnswer(await sendRaw(port, bytes));
}

/** Parses one response. */
export function parseAnswer(text: string): RawAnswer {
  const headEnd = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]),
    headers,
    body: text.slice(headEnd + 4),
  };
}
