/**
 * Asks for one thing at a steady rate, whatever the server does, for `bench/compare/paced.ts`:
 * URL RATE SECONDS, with BENCH_AUTHORIZATION in the environment. A request's time counts from when
 * it was due, so that a server which stands still cannot hide it (coordinated omission). It prints
 * the percentiles in milliseconds.
 */
import { HttpConnection, requestText } from '../../support/http-connection.ts';

const connectionsMax = 16;

const [address = '', rate = '1000', seconds = '1'] = process.argv.slice(2);
const url = new URL(address);
const headers = { authorization: process.env['BENCH_AUTHORIZATION'] ?? '' };
const request = requestText('GET', url, headers);
const msPerRequest = 1_000 / Number(rate);
const count = Math.floor(Number(rate) * Number(seconds));
const idle = await Promise.all(
  Array.from({ length: connectionsMax }, () => HttpConnection.open(Number(url.port))),
);
const times = new Float64Array(count);
const finished = Promise.withResolvers<void>();
const started = performance.now() + 50;
let sent = 0;
let answered = 0;

spin();
await finished.promise;
for (const connection of idle) connection[Symbol.dispose]();
times.sort();
const percentile = (part: number): number => times[Math.floor(count * part)] ?? Number.NaN;
process.stdout.write(
  `${JSON.stringify({ p50: percentile(0.5), p99: percentile(0.99), p999: percentile(0.999) })}\n`,
);

/** Looks at the clock again and again: timers are a millisecond apart, and this has its own core. */
function spin(): void {
  sendWhatIsDue();
  if (sent < count) setImmediate(spin);
}

function sendWhatIsDue(): void {
  for (; sent < count; sent += 1) {
    const due = started + sent * msPerRequest;
    if (performance.now() < due) return;
    const connection = idle.pop();
    if (connection === undefined) return;
    connection.exchange(request, (status) => {
      if (status !== 200) throw new Error(`answered ${status}`);
      times[answered] = performance.now() - due;
      answered += 1;
      idle.push(connection);
      if (answered === count) finished.resolve();
    });
  }
}
