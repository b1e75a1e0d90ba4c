import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WebSocket } from 'ws';
import {
  savedIndexName,
  type SavedExchange,
  type SavedIndex,
} from '../../../src/operator/sources/save-bodies.ts';
import {
  SourceServer,
  type ReceivedRequest,
  type Responder,
  type Upgrader,
} from './source-server.ts';

/**
 * Starts a server that plays one source of a directory that `pizarra sources check --save` has written: each
 * request gets the response that was saved for it, with its status and its body, cut where it was cut. So a
 * report of a changed format becomes a test.
 */
export async function serveSaved(directory: string, name: string): Promise<SourceServer> {
  const index = JSON.parse(readFileSync(join(directory, savedIndexName), 'utf8')) as SavedIndex;
  const source = index.sources.find((one) => one.name === name);
  if (source === undefined) throw new Error(`${directory} has no source ${name}`);
  const server = await SourceServer.start();
  server.respond = respondSaved(directory, source.exchanges);
  server.upgrade = upgradeSaved(directory, source.exchanges);
  return server;
}

function respondSaved(directory: string, exchanges: readonly SavedExchange[]): Responder {
  return (request, response) => {
    const saved = exchanges.find((one) => one.kind === 'request' && isOf(one, request));
    if (saved?.status === undefined) {
      response.socket?.destroy();
      return;
    }
    const body = Buffer.from(bodyOf(directory, saved));
    // A body that was cut has an announced length that is never reached.
    const length = body.length + (saved.isCut ? 1 : 0);
    response.writeHead(saved.status, { ...saved.headers, 'content-length': length });
    if (!saved.isCut) response.end(body);
    else if (body.length > 0) response.write(body, () => response.socket?.end());
    else response.flushHeaders();
  };
}

function upgradeSaved(directory: string, exchanges: readonly SavedExchange[]): Upgrader {
  return (request, socket, accept) => {
    const saved = exchanges.find((one) => one.kind === 'socket' && isOf(one, request));
    if (saved?.status === undefined) socket.destroy();
    else if (saved.status !== 101) {
      socket.end(
        `HTTP/1.1 ${saved.status} Saved\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
    } else accept((webSocket) => play(webSocket, saved, messagesOf(directory, saved)));
  };
}

/** Sends the saved messages as soon as the client has sent as many as it had. */
function play(
  webSocket: WebSocket,
  { sent = [], isCut }: SavedExchange,
  messages: readonly string[],
): void {
  let received = 0;
  const send = (): void => {
    for (const message of messages) webSocket.send(message);
    if (isCut) webSocket.close(1011);
  };
  if (sent.length === 0) send();
  webSocket.on('message', () => {
    received += 1;
    if (received === sent.length) send();
  });
}

/** Whether a request is the saved one. The values of the query that were removed are not compared. */
function isOf({ method, url, body = '' }: SavedExchange, request: ReceivedRequest): boolean {
  const [saved, sent] = [new URL(url), new URL(request.url, 'http://localhost')];
  const isSame = [...saved.searchParams].every(([name, value]) => {
    return value === '[secret]' || name === '[secret]' || sent.searchParams.get(name) === value;
  });
  return (
    isSame && method === request.method && saved.pathname === sent.pathname && body === request.body
  );
}

function bodyOf(directory: string, { file }: SavedExchange): string {
  return file === undefined ? '' : readFileSync(join(directory, file), 'utf8');
}

function messagesOf(directory: string, saved: SavedExchange): readonly string[] {
  const lines = bodyOf(directory, saved).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as string);
}
