import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A cheap client of the stream, which parses only the ticker and the price of each quote. */
export class StreamClient implements Disposable {
  /** Receives each quote, the current ones first. */
  onQuote: (ticker: string, price: number) => void = () => undefined;
  hasEnded = false;
  readonly #socket: Socket;
  #rest = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#take(chunk));
    socket.on('close', () => (this.hasEnded = true));
    socket.on('error', () => undefined);
  }

  /**
   * Opens a stream with the parameters of a query.
   *
   * @param after the last version that the client has seen, for a client that connects again.
   */
  static async open(
    { url, keys }: { readonly url: string; readonly keys: { readonly read: string } },
    query: string,
    after?: number,
  ): Promise<StreamClient> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `GET /cotizaciones/stream?${query} HTTP/1.1\r\nhost: bench\r\n` +
        `authorization: Bearer ${keys.read}\r\n` +
        `${after === undefined ? '' : `last-event-id: ${after}\r\n`}\r\n`,
    );
    return new StreamClient(socket);
  }

  /** Reads nothing from now on. */
  pause(): void {
    this.#socket.pause();
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    const events = (this.#rest + chunk).split('\n\n');
    this.#rest = events.pop() ?? '';
    for (const event of events) {
      const ticker = between(event, '"especie":"', '"');
      if (ticker !== undefined) this.onQuote(ticker, Number(between(event, '"ultimo":', ',')));
    }
  }
}

function between(text: string, before: string, after: string): string | undefined {
  const start = text.indexOf(before);
  if (start === -1) return undefined;
  const from = start + before.length;
  return text.slice(from, text.indexOf(after, from));
}
