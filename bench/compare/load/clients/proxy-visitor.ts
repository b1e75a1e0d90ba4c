/**
 * Sends HEAD requests at a steady rate, and opens and closes streams, until it is stopped, for
 * `bench/compare/load/mixed-load.ts`. Arguments: ORIGIN STREAM_TARGET HEAD_TARGET…, with BENCH_AUTHORIZATION in the
 * environment. It prints "visiting" after the first responses, and at the end the number of requests.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

/** Interval between HEAD requests, in milliseconds. Every tenth one is followed by a stream. */
const msPerHead = 5;
const headsPerStream = 10;

const [origin = '', streamTarget = '', ...heads] = process.argv.slice(2);
const authorization = process.env['BENCH_AUTHORIZATION'] ?? '';
const agent = new Agent({ keepAlive: true, maxSockets: 16, rejectUnauthorized: false });
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

let sent = 0;
const underWay = new Set<Promise<void>>();
await Promise.all([head(0), stream()]);
process.stdout.write('visiting\n');
sent = 0;
const started = performance.now();
for (let at = 0; !stopping.signal.aborted; at += 1) {
  start(head(at));
  if (at % headsPerStream === 0) start(stream());
  await delay(Math.max(started + at * msPerHead - performance.now(), 0));
}
await Promise.all(underWay);
process.stdout.write(`sent ${sent}\n`);
agent.destroy();

function start(visit: Promise<void>): void {
  underWay.add(visit);
  void visit.finally(() => underWay.delete(visit));
}

async function head(at: number): Promise<void> {
  const response = await send('HEAD', heads[at % heads.length] ?? '');
  response.resume();
  await once(response, 'end');
}

/**
 * Opens a stream, and closes it after its first event. A closed stream counts against the limit of its key
 * until the proxy has closed it too, so a busy server refuses some.
 */
async function stream(): Promise<void> {
  const response = await send('GET', streamTarget, [200, 429]);
  await once(response, 'data');
  response.destroy();
}

async function send(
  method: string,
  target: string,
  statuses: readonly number[] = [200],
): Promise<IncomingMessage> {
  const outgoing = request(origin + target, { method, agent, headers: { authorization } }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  // Closing a stream resets its connection.
  outgoing.on('error', () => undefined);
  const { statusCode = 0 } = response;
  if (!statuses.includes(statusCode)) throw new Error(`${target} got ${statusCode}`);
  sent += 1;
  return response;
}
