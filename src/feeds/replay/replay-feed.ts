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

/** The longest line of a recording, in characters; a snapshot of dolarapi.com takes about 1,100. */
const recordedLineCharsMax = 1_048_576;

/** The longest single wait: timers do not take more than 24 days, and clocks are set right. */
const waitMsMax = 3_600_000;

const mappers: Readonly<Record<RecordingFormat, LineMapper>> = {
  dolarapi: mapDolarapiLine,
  updates: mapUpdatesLine,
};

/** What a replay is made of, besides its configuration. */
export interface ReplayDeps {
  /** Made with the configured speed; the feed drives it. */
  readonly clock: ReplayClock;
  /** Where relative paths of recordings start. */
  readonly directory: string;
  readonly log: Log;
  /** Told of whatever a recording holds that is no update. */
  readonly onRejected?: (rejected: Rejected) => void;
  /** Waits in real time; rejects when the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Replays recordings: what each line says is yielded as one batch when the replay's clock has come
 * to the instant at which the line was recorded. Several files are played as one, in order of
 * recorded time; a line that goes back in time is played at once.
 *
 * Files are read line by line, so a recording of any length takes the memory of one line a file.
 * Started again after a failure, it begins again: what was played already says nothing new.
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
    log.debug({ feed: name, place, ...one }, 'left out of the replay');
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
    // A wait that was cut short by the end.
    if (signal.aborted) return;
    throw fault;
  }
  clock.runOn();
  log.info({ feed: name, batches, rejected: Object.fromEntries(rejected) }, 'replay has ended');
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

/** The lines of one file that could be read, as they were recorded. */
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

/** Merges recordings, each of which is in order but for a line or two. */
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
