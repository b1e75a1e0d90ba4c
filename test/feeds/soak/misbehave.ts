import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../src/lib/time/clock.ts';
import { Noise } from '../../../src/lib/numbers/noise.ts';
import {
  fixed,
  gzipBomb,
  healthy,
  reset,
  stall,
  truncate,
  type Responder,
  type SourceServer,
  type Upgrader,
} from '../../support/http/source-server.ts';
import { frames } from './frames.ts';
import { responseAt, streamedAt } from './responses.ts';
import { lastFaultAt, minuteMs, seed, speed } from './timetable.ts';

const json = { 'content-type': 'application/json' };
const misbehaviours: readonly ((body: string) => Responder)[] = [
  () => fixed(429, { 'retry-after': '7' }),
  () => fixed(429),
  () => fixed(500, json, '{}'),
  () => fixed(503, { 'retry-after': '30' }),
  () => fixed(200, { 'content-type': 'text/html' }, '<!doctype html><html>'),
  () => fixed(200, json, '[]'),
  () => fixed(200, json, '{"rows":[{"s":"GGAL"'),
  () => fixed(302, { location: 'https://example.com/' }),
  (body) => truncate(body),
  (body) => reset(body),
  () => gzipBomb,
  () => stallAndReset,
];

/**
 * Stalls, and ends the connection. A limit of the feed would also end slow responses without a fault on a busy machine
 * (`source-suite.ts` tests the limits).
 */
const stallAndReset: Responder = (request, response) => {
  stall(request, response);
  setTimeout(() => response.destroy(), stallMs);
};

/** How long a response stalls, in milliseconds of real time. */
const stallMs = 400;

/** How often a source sends by itself, in milliseconds of real time. */
const messageEveryMs = Math.max(20, minuteMs / 2 / speed);

/** The number of events after which a stream ends. */
const eventsPerStream = 30;

/** The parts of the requests and of the messages that meet a fault. */
const faultPart = 0.2;
const frameFaultPart = 0.04;

/** The kind of the fault that the next request or message of a path meets, or none. */
type Draw = (
  path: string,
  options: { readonly what: string; readonly kinds: number; readonly part: number },
) => number | undefined;

/** The faults that were met: for each path, the number of faults of each kind. */
export type Faults = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Plays the recording and misbehaves as the seed says. Counts the faults. */
export function misbehave(server: SourceServer, clock: Clock): Faults {
  const faults = new Map<string, Map<string, number>>();
  const counts = new Map<string, number>();
  // Each path has its own draws, because the order of the requests of several sources is not fixed.
  const draw: Draw = (path, { what, kinds, part }) => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    const draws = new Noise(seed, path);
    if (clock.now() > lastFaultAt || draws.uniform(count, 0) >= part) return undefined;
    const kind = Math.floor(draws.uniform(count, 1) * kinds);
    const met = faults.getOrInsertComputed(path, () => new Map());
    met.set(`${what} ${kind}`, (met.get(`${what} ${kind}`) ?? 0) + 1);
    return kind;
  };
  server.respond = (request, response) => {
    // The server records requests and messages, which are not what the memory of this test is about.
    server.requests.length = 0;
    server.messages.length = 0;
    const path = pathOf(request.url);
    const recorded = responseAt(path, clock.now());
    const kind = draw(path, { what: 'response', kinds: misbehaviours.length, part: faultPart });
    const wrong = kind === undefined ? undefined : misbehaviours[kind];
    if (wrong !== undefined) wrong(recorded?.body ?? '')(request, response);
    else if (streamedAt(path, clock.now()) === undefined)
      healthy(() => recorded)(request, response);
    else playStream(path, response, clock);
  };
  server.upgrade = playFrames(clock, draw);
  return faults;
}

/** Sends events, and ends the stream after some. */
function playStream(path: string, response: ServerResponse, clock: Clock): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let left = eventsPerStream;
  const send = (): void => {
    left -= 1;
    response.write(streamedAt(path, clock.now()) ?? '');
    if (left === 0) response.end();
  };
  send();
  const timer = setInterval(send, messageEveryMs);
  response.on('close', () => clearInterval(timer));
}

/** Sends messages. A fault repeats an old trade, sends something else, or ends the connection. */
function playFrames(clock: Clock, draw: Draw): Upgrader {
  return ({ url }, raw, accept) => {
    const path = pathOf(url);
    const framesAt = frames[path];
    if (framesAt === undefined) return void raw.destroy();
    accept((socket) => {
      const timer = setInterval(() => {
        const now = clock.now();
        const kind = draw(path, { what: 'message', kinds: 4, part: frameFaultPart });
        if (kind === 0) socket.terminate();
        else if (kind === 1) socket.close(1013);
        else if (kind === 2) socket.send('<html>');
        else
          for (const frame of framesAt(kind === 3 ? now - 30 * minuteMs : now)) socket.send(frame);
      }, messageEveryMs);
      socket.on('close', () => clearInterval(timer));
    });
  };
}

function pathOf(url: string): string {
  return new URL(url, 'http://localhost').pathname;
}
