import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Update } from '../../domain/update.ts';
import { LineSplitter } from '../../lib/line-splitter.ts';
import type { Line } from '../../lib/line-splitter.ts';
import type { Log } from '../../lib/log.ts';
import type { RecordingFormat, ReplayFeedConfig } from '../feed-config.ts';
import { FeedFault } from '../feed.ts';
import type { Feed } from '../feed.ts';
import { mapDolarapiLine } from './dolarapi-mapper.ts';
import type { LineMapper, RecordedBatch, Rejected } from './recording.ts';
import type { ReplayClock } from './replay-clock.ts';
import { mapUpdatesLine } from './updates-mapper.ts';

/** Maximum length of a recorded line, in characters. A snapshot of dolarapi.com has about 1,100. */
const recordedLineCharsMax = 1_048_576;

/** Maximum single wait. Timers take at most 24 days, and a clock may be adjusted meanwhile. */
const waitMsMax = 3_600_000;

const mappers: Readonly<Record<RecordingFormat, LineMapper>> = {
  dolarapi: mapDolarapiLine,
  updates: mapUpdatesLine,
};

/** The collaborators of a replay. */
export interface ReplayDeps {
  /** A clock with the configured speed. The feed advances it. */
  readonly clock: ReplayClock;
  /** The directory at which relative paths start. */
  readonly directory: string;
  readonly log: Log;
  /** Called for everything in a recording that is not an update. */
  readonly onRejected?: (rejected: Rejected) => void;
  /** Waits in real time; rejects when the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Replays recordings. Each line is yielded as one batch when the replay's clock reaches the instant
 * at which it was recorded. Several files are played as one, in order of recorded time. A line with
 * an earlier instant than the line before it is played at once.
 *
 * Files are read line by line, so a recording of any length requires the memory of one line per
 * file. When it is called again after a failure, it starts from the beginning: updates that were
 * already played do not change anything.
 */
export function createReplayFeed(config: ReplayFeedConfig, deps: ReplayDeps): Feed {
  const { name, staleAfterMs, markets } = config;
  return {
    name,
    staleAfterMs,
    markets,
    batches: (signal) => replay(config, deps, signal),
  };
}

async function* replay(
  { name, files, format }: ReplayFeedConfig,
  { clock, directory, log, onRejected, pause = pauseInRealTime }: ReplayDeps,
  signal: AbortSignal,
): AsyncIterable<readonly Update[]> {
  const rejected = new Map<string, number>();
  const reject = (one: Rejected, place: string): void => {
    rejected.set(one.reason, (rejected.get(one.reason) ?? 0) + 1);
    log.debug({ feed: name, place, ...one }, 'recorded entry rejected');
    onRejected?.(one);
  };
  const paths = files.map((file) => resolve(directory, file));
  const recordings = paths.map((path) => readRecording(path, mappers[format], reject));
  let batches = 0;
  try {
    for await (const { at, updates } of inOrderOfTime(recordings)) {
      await waitUntil(at, clock, pause, signal);
      if (signal.aborted) return;
      batches += 1;
      yield updates;
    }
  } catch (fault) {
    // The signal aborted a wait.
    if (signal.aborted) return;
    throw fault;
  }
  clock.runOn();
  log.info({ feed: name, batches, rejected: Object.fromEntries(rejected) }, 'replay ended');
}

async function waitUntil(
  at: number,
  clock: ReplayClock,
  pause: (ms: number, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (let ms = clock.realMsUntil(at); ms > 0; ms = clock.realMsUntil(at)) {
    await pause(Math.min(Math.ceil(ms), waitMsMax), signal);
  }
}

function pauseInRealTime(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal });
}

/** The lines of one file that could be mapped, in the order of the file. */
async function* readRecording(
  path: string,
  mapLine: LineMapper,
  reject: (rejected: Rejected, place: string) => void,
): AsyncGenerator<RecordedBatch, void, undefined> {
  for await (const line of linesOf(path)) {
    const place = `${path}:${line.number}`;
    if ('isTooLong' in line) {
      const detail = `longer than ${recordedLineCharsMax} characters`;
      reject({ reason: 'line-too-long', detail }, place);
    } else {
      const mapped = mapLine(line.text);
      if (!('at' in mapped)) reject(mapped.rejected, place);
      else {
        for (const one of mapped.rejected) reject(one, place);
        yield mapped;
      }
    }
  }
}

async function* linesOf(path: string): AsyncIterable<Line> {
  const splitter = new LineSplitter({ lineCharsMax: recordedLineCharsMax });
  try {
    for await (const chunk of createReadStream(path)) yield* splitter.push(chunk as Uint8Array);
  } catch (cause) {
    throw new FeedFault('unavailable', `the recording ${path} cannot be read`, { cause });
  }
  yield* splitter.end();
}

/** Merges recordings by their instants. Each of them is in order, except for a few lines. */
async function* inOrderOfTime(
  recordings: readonly AsyncGenerator<RecordedBatch, void, undefined>[],
): AsyncIterable<RecordedBatch> {
  try {
    const heads = await Promise.all(recordings.map((recording) => recording.next()));
    for (;;) {
      let first = -1;
      let firstAt = Infinity;
      for (const [index, head] of heads.entries()) {
        if (head.done !== true && head.value.at < firstAt) {
          first = index;
          firstAt = head.value.at;
        }
      }
      const head = heads[first];
      const recording = recordings[first];
      if (recording === undefined || head === undefined || head.done === true) return;
      yield head.value;
      heads[first] = await recording.next();
    }
  } finally {
    await Promise.all(recordings.map((recording) => recording.return()));
  }
}
