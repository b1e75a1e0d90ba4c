/**
 * Pushes updates at a steady rate until it is told to stop, for `bench/compare/updates.ts`:
 * URL FORMAT TICKERS_FILE RATE, with BENCH_AUTHORIZATION in the environment. It prints "pushing" when
 * the first are taken, and at its end how many were and how long it took.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { seededRandom } from '../../support/random.ts';

const updatesPerBatch = 20;

const [url = '', format = '', tickersFile = '', rate = '1000'] = process.argv.slice(2);
const tickers = readFileSync(tickersFile, 'utf8').trimEnd().split('\n');
const msPerBatch = (updatesPerBatch / Number(rate)) * 1e3;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const random = seededRandom(1);
const prices = new Map(tickers.map((ticker) => [ticker, 100 + random() * 1_000]));
let next = 0;
let pushed = 0;
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

await push();
process.stdout.write('pushing\n');
const started = performance.now();
pushed = 0;
for (let batch = 1; !stopping.signal.aborted; batch += 1) {
  await push();
  // By the clock and not by the last answer, so that a slow one does not lower the rate.
  const ahead = started + batch * msPerBatch - performance.now();
  if (ahead > 0) await delay(ahead);
}
const seconds = (performance.now() - started) / 1e3;
process.stdout.write(`${JSON.stringify({ pushed, seconds })}\n`);
agent.destroy();

async function push(): Promise<void> {
  const asked = request(url, {
    method: 'POST',
    agent,
    headers: {
      authorization: process.env['BENCH_AUTHORIZATION'] ?? '',
      'content-type': format === 'ndjson' ? 'application/x-ndjson' : 'application/json',
    },
  }).end(body());
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const answer = await text(response);
  if ((response.statusCode ?? 500) >= 300) {
    throw new Error(`updates were answered ${response.statusCode}: ${answer}`);
  }
  pushed += updatesPerBatch;
}

function body(): string {
  const batch = Array.from({ length: updatesPerBatch }, nextUpdate);
  const now = Date.now();
  const at = new Date(now).toISOString();
  switch (format) {
    case 'ndjson':
      return batch.map((one) => JSON.stringify({ ...one, at })).join('\n');
    case 'json':
      return JSON.stringify(batch.map((one) => ({ ...one, at })));
    default:
      return batch
        .map(({ ticker, last }) => {
          return `quotes,especie=${ticker.replaceAll(' ', String.raw`\ `)} ultimo=${last} ${now}`;
        })
        .join('\n');
  }
}

function nextUpdate(): { readonly ticker: string; readonly last: number } {
  const ticker = tickers[next] ?? '';
  next = (next + 1) % tickers.length;
  const last = Number(((prices.get(ticker) ?? 100) * (1 + (random() - 0.5) / 100)).toFixed(2));
  prices.set(ticker, last);
  return { ticker, last };
}
