import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { LineSplitter, type TextLine } from '../../lib/text/line-splitter.ts';
import type { Pause } from '../../lib/time/pause.ts';
import { sourceOf, type FeedDeps } from '../contract/feed-type.ts';
import { FeedFault, type Feed, type FeedBatch, type Rejected } from '../contract/feed.ts';
import type { LineMapper, RecordedBatch } from '../contract/recording.ts';
import { reject } from '../contract/sample.ts';
import { ReplayClock } from './replay-clock.ts';
import type { ReplayConfig } from './replay-config.ts';

/** Maximum length of a recorded line, in characters. A snapshot of dolarapi.com has about 1,100. */
const recordedLineCharsMax = 1_048_576;

/** Maximum single wait. Timers take at most 24 days, and a clock may be adjusted meanwhile. */
const waitMsMax = 3_600_000;

/** What a replay is built from, besides its configuration. */
export interface ReplayDeps extends Pick<FeedDeps, 'directory' | 'log' | 'pause'> {
  /** A `ReplayClock` with the configured speed; the feed drives it. */
  readonly clock: FeedDeps['clock'];
  readonly mapLine: LineMapper;
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
export function createReplayFeed(config: ReplayConfig, deps: ReplayDeps): Feed {
  const { clock } = deps;
  if (!(clock instanceof ReplayClock)) throw new Error('a replay without its clock');
  return { ...sourceOf(config), batches: (signal) => replay(config, { ...deps, clock }, signal) };
}

async function* replay(
  { name, files }: ReplayConfig,
  { clock, directory, log, mapLine, pause }: ReplayDeps & { readonly clock: ReplayClock },
  signal: AbortSignal,
): AsyncIterable<FeedBatch> {
  const rejections = new Map<string, number>();
  const paths = files.map((file) => resolve(directory, file));
  const recordings = paths.map((path) => readRecording(path, mapLine));
  let batches = 0;
  try {
    for await (const { at, updates, rejected } of inOrderOfTime(recordings)) {
      if (at !== undefined) await waitUntil(at, clock, pause, signal);
      if (signal.aborted) return;
      batches += 1;
      for (const { reason } of rejected) {
        rejections.set(reason, (rejections.get(reason) ?? 0) + 1);
      }
      yield { updates, rejected };
    }
  } catch (fault) {
    // The end of the service cut a wait short.
    if (signal.aborted) return;
    throw fault;
  }
  clock.runOn();
  log.info({ feed: name, batches, rejected: Object.fromEntries(rejections) }, 'replay ended');
}

async function waitUntil(
  at: number,
  clock: ReplayClock,
  pause: Pause,
  signal: AbortSignal,
): Promise<void> {
  for (let ms = clock.realMsUntil(at); ms > 0; ms = clock.realMsUntil(at)) {
    await pause(Math.min(Math.ceil(ms), waitMsMax), signal);
  }
}

/** The lines of one file. A line that cannot be read gives a batch without an instant. */
async function* readRecording(
  path: string,
  mapLine: LineMapper,
): AsyncGenerator<RecordedBatch, void, undefined> {
  for await (const line of linesOf(path)) {
    if ('isTooLong' in line) {
      const sample = `${path}:${line.number}: more than ${recordedLineCharsMax} characters`;
      yield { at: undefined, updates: [], rejected: [reject('too-long', sample)] };
    } else {
      const { at, updates, rejected } = mapLine(line.text);
      const placed = rejected.map((one) => placedAt(`${path}:${line.number}`, one));
      yield { at, updates, rejected: placed };
    }
  }
}

function placedAt(place: string, { reason, symbol, sample }: Rejected): Rejected {
  return reject(reason, `${place}: ${sample}`, symbol);
}

async function* linesOf(path: string): AsyncIterable<TextLine> {
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
        if (head.done === true) continue;
        // A line without an instant is passed on at once.
        const { at = -Infinity } = head.value;
        if (first === -1 || at < firstAt) {
          first = index;
          firstAt = at;
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
