import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Makes a server that closes let its answers reach their clients. Node takes a connection for idle
 * as soon as its answer was handed over in full, and destroys it with all that its client has not
 * read yet: to a slow client a large answer would end in the middle. Such a connection is closed
 * here when the last byte has gone out.
 */
export function closeIdleGently(server: Server): void {
  const open = new Set<Socket>();
  const note = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  server.on('connection', note);
  server.on('secureConnection', note);

  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = (): void => {
    const unread = [...open].filter(({ writableLength }) => writableLength > 0);
    // Which of them are idle only Node knows; what it does to those is put off.
    for (const socket of unread) {
      socket.destroy = () => {
        Reflect.deleteProperty(socket, 'destroy');
        socket.destroySoon();
        return socket;
      };
    }
    closeIdle();
    for (const socket of unread) Reflect.deleteProperty(socket, 'destroy');
  };
}
