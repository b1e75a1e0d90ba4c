/**
 * Repeats one request at a steady average rate, independently of the server, for `bench/compare/load/paced.ts`.
 * Arguments: URL RATE SECONDS [UPDATES_URL FORMAT TICKERS_FILE RATE], with BENCH_AUTHORIZATION and
 * BENCH_UPDATES_AUTHORIZATION in the environment. The time of a request counts from when it was due, so that a
 * server cannot hide a pause (coordinated omission). It prints the percentiles in milliseconds, and the number
 * of accepted updates per second.
 *
 * The requests are a Poisson process, like those of many clients. With equal intervals, some requests would
 * always coincide with a batch of updates, and others never.
 *
 * The client pushes the updates itself. Another process on the same core would take the core for milliseconds
 * at a time, which would be measured as the server's.
 */
import { HttpConnection, requestText } from '../../../support/http-connection.ts';
import { seededRandom } from '../../../support/random.ts';
import { UpdateBodies, updatesPerBatch } from './update-bodies.ts';

const connectionsMax = 16;

const [address = '', rate = '1000', seconds = '1', ...pushing] = process.argv.slice(2);
const url = new URL(address);
const headers = { authorization: process.env['BENCH_AUTHORIZATION'] ?? '' };
const request = requestText('GET', url, headers);
const msPerRequest = 1_000 / Number(rate);
const count = Math.floor(Number(rate) * Number(seconds));
const idle = await Promise.all(
  Array.from({ length: connectionsMax }, () => HttpConnection.open(Number(url.port))),
);
const [updatesUrl, format = '', tickersFile = '', updatesRate = '1000'] = pushing;
const bodies =
  updatesUrl === undefined
    ? undefined
    : new UpdateBodies({
        url: updatesUrl,
        format,
        tickersFile,
        authorization: process.env['BENCH_UPDATES_AUTHORIZATION'] ?? '',
      });
const msPerBatch = (updatesPerBatch / Number(updatesRate)) * 1_000;
const pushers = await Promise.all(
  Array.from({ length: bodies === undefined ? 0 : connectionsMax }, () =>
    HttpConnection.open(bodies?.port ?? 0),
  ),
);
const idlePushers = [...pushers];
const random = seededRandom(2);
const times = new Float64Array(count);
const finished = Promise.withResolvers<void>();
const started = performance.now() + 50;
let sent = 0;
let nextDue = started;
let answered = 0;
let batches = 0;
let taken = 0;

spin();
await finished.promise;
const updates = taken / ((performance.now() - started) / 1_000);
for (const connection of [...idle, ...pushers]) connection[Symbol.dispose]();
times.sort();
const percentile = (part: number): number => times[Math.floor(count * part)] ?? Number.NaN;
process.stdout.write(
  `${JSON.stringify({ p50: percentile(0.5), p99: percentile(0.99), p999: percentile(0.999), updates })}\n`,
);

/** Polls the clock, because timers have a resolution of a millisecond, and this process has its own core. */
function spin(): void {
  pushWhatIsDue();
  sendWhatIsDue();
  if (sent < count) setImmediate(spin);
}

function sendWhatIsDue(): void {
  for (; sent < count; sent += 1) {
    const due = nextDue;
    if (performance.now() < due) return;
    // In turn, because the server closes a connection that is never used.
    const connection = idle.shift();
    if (connection === undefined) return;
    // The intervals of a Poisson process.
    nextDue += -Math.log(1 - random()) * msPerRequest;
    connection.exchange(request, (status) => {
      if (status !== 200) throw new Error(`the request got ${status}`);
      times[answered] = performance.now() - due;
      answered += 1;
      idle.push(connection);
      if (answered === count) finished.resolve();
    });
  }
}

function pushWhatIsDue(): void {
  const isDue = performance.now() >= started + batches * msPerBatch;
  const connection = bodies !== undefined && isDue ? idlePushers.shift() : undefined;
  if (connection === undefined || bodies === undefined) return;
  batches += 1;
  connection.exchange(bodies.nextRequest(), (status) => {
    if (status >= 300) throw new Error(`the updates got ${status}`);
    taken += updatesPerBatch;
    idlePushers.push(connection);
  });
}
