import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

import { FastConnections } from './fast-path/fast-connections.ts';
import type { FastPath } from './fast-path/fast-path.ts';
import { createHttp2Entry } from './http2-entry.ts';
import type { HttpLimits } from './http-limits.ts';
import type { RequestQueue } from './request-queue.ts';
import type { StopPhase } from './stop/stop-phase.ts';

/** The connections of a server, as far as Node does not look after them. */
interface ConnectionEntry {
  /** Tells HTTP/2 clients that their connections end. */
  drain(): void;
  /** Closes the connections that have been idle for `drainIdleMs`. */
  closeIdle(): void;
}

/**
 * Decides who reads from a connection: HTTP/2 where the client chose it, else the short way as long as
 * it can, else Node's HTTP server as ever.
 */
export function addConnectionEntry(
  server: Server,
  {
    limits,
    isTls,
    phase,
    queue,
    fastPath,
  }: {
    readonly limits: HttpLimits;
    readonly isTls: boolean;
    readonly phase: StopPhase;
    readonly queue: RequestQueue | undefined;
    /** Asked for the short way in force; without it, connections are Node's from the start. */
    readonly fastPath: (() => FastPath | undefined) | undefined;
  },
): ConnectionEntry {
  const event = isTls ? 'secureConnection' : 'connection';
  const speakHttp1 = takeNodesListener(server, event);
  const fast =
    fastPath === undefined || queue === undefined
      ? undefined
      : new FastConnections({ limits, phase, queue, fastPath, handOver: speakHttp1 });
  const http2 = isTls
    ? createHttp2Entry(server, { limits, phase, isEndless: isEventStream })
    : undefined;
  server.on(event, (socket: Socket | TLSSocket) => {
    const isHttp2 = 'alpnProtocol' in socket && socket.alpnProtocol === 'h2';
    if (http2 !== undefined && isHttp2) http2.take(socket);
    else if (fast === undefined) speakHttp1(socket);
    else fast.take(socket);
  });
  return {
    drain: () => http2?.drain(),
    closeIdle: () => {
      fast?.closeIdle();
      http2?.close();
    },
  };
}

/** Takes from a server the listener that reads HTTP/1.1 from its connections. */
function takeNodesListener(server: Server, event: string): (socket: Socket) => void {
  // The first is Node's own; others only look on, and stay.
  const [listener] = server.listeners(event) as ((socket: Socket) => void)[];
  if (listener === undefined) throw new Error(`nobody reads from the connections of the server`);
  server.removeListener(event, listener);
  return (socket) => listener.call(server, socket);
}

function isEventStream(response: { getHeader(name: string): unknown }): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream');
}
