/**
 * The least that a client of a WebSocket can do: it parses each message, and prints their number when the
 * connection ends.
 *
 * Usage: node bench/updates/source/bare-client.ts URL
 */
import { WebSocket } from 'ws';
import { say } from '../../support/print.ts';

const [, , url = ''] = process.argv;
const socket = new WebSocket(url, { perMessageDeflate: false });
let messages = 0;
socket.on('message', (data: Buffer) => {
  JSON.parse(data.toString('utf8'));
  messages += 1;
});
socket.on('close', () => say(`${messages} messages`));
