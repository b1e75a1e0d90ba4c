import * as v from '@badrap/valita';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { LineSplitter, type TextLine } from '../../lib/text/line-splitter.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Pause } from '../../lib/time/pause.ts';
import { sourceOf, type FeedDeps, type FeedType } from '../contract/feed-type.ts';
import {
  FeedFault,
  reject,
  type Feed,
  type FeedBatch,
  type LineMapper,
  type RecordedBatch,
  type Rejected,
} from '../contract/feed.ts';
import { choiceField, commonFields, field, optional, textListField } from '../contract/fields.ts';
import { mapPushedLine } from '../shapes/map-update.ts';

/**
 * The clock of a recording. Decisions that depend on the time (whether an instant is in the future,
 * whether a session has ended) are then the same as at the time of the recording. It never goes
 * back.
 *
 * Before the first record it stands at 1970, so that no session ends. During the recording it runs
 * at the replay's speed; at `max` it stands at each record. After the last record it continues at
 * the replay's speed, or at `max` in real time, so that the last session ends too.
 */
export class ReplayClock implements Clock {
  readonly #real: Clock;
  readonly #speed: ReplaySpeed;
  /** The speed of this clock since the last mark. */
  #pace: number;
  #mark: { readonly recorded: number; readonly real: number } | undefined;

  constructor(options: { readonly real: Clock; readonly speed: ReplaySpeed }) {
    this.#real = options.real;
    this.#speed = options.speed;
    this.#pace = options.speed === 'max' ? 0 : options.speed;
  }

  now(): number {
    const mark = this.#mark;
    if (mark === undefined) return 0;
    return mark.recorded + Math.max(0, this.#real.now() - mark.real) * this.#pace;
  }

  /** Durations are real ones, whatever the speed of the replay. */
  monotonic(): number {
    return this.#real.monotonic();
  }

  /**
   * The real time to wait until the recording reaches an instant, in milliseconds. The first call
   * sets the clock to its instant.
   */
  realMsUntil(recorded: number): number {
    if (this.#mark === undefined) this.#set(recorded);
    if (this.#speed !== 'max') return Math.max(0, (recorded - this.now()) / this.#speed);
    if (recorded > this.now()) this.#set(recorded);
    return 0;
  }

  /** Continues after the end of the recording. */
  runOn(): void {
    if (this.#speed !== 'max' || this.#mark === undefined) return;
    this.#set(this.now());
    this.#pace = 1;
  }

  #set(recorded: number): void {
    this.#mark = { recorded, real: this.#real.now() };
  }
}

/** Recorded time per real time; `max` plays one record after the other without waiting. */
export type ReplaySpeed = number | 'max';

/** The maximum speed besides `max`: a year in half a minute. */
const speedMax = 1_000_000;

/** The fields of a replay. @param formats the names of the formats that can be read. */
function replaySchema(formats: readonly string[]) {
  return v.object({
    // Hourly recordings are usual, so two hours pass before a replay is stale.
    ...commonFields('replay', { staleAfterSeconds: 7_200 }),
    files: textListField('must be a list of paths'),
    format: optional(choiceField(formats), 'updates'),
    speed: optional(speedField(), 1),
  });
}

/** A replay of recordings from files. */
type ReplayConfig = v.Infer<ReturnType<typeof replaySchema>>;

function speedField() {
  return field(
    (value): value is ReplaySpeed =>
      value === 'max' || (typeof value === 'number' && value > 0 && value <= speedMax),
    `must be a number above 0 and up to ${speedMax}, or max`,
    { anyOf: [{ type: 'number', exclusiveMinimum: 0, maximum: speedMax }, { const: 'max' }] },
  );
}

/** Reads one line of recorded updates in the format of `POST /updates`. Pure. */
export function mapUpdatesLine(text: string): RecordedBatch {
  const mapped = mapPushedLine(text);
  if ('update' in mapped) return { at: mapped.update.at, updates: [mapped.update], rejected: [] };
  const rejected = { reason: 'unintelligible', sample: mapped.detail } as const;
  return { at: undefined, updates: [], rejected: [rejected] };
}

/** Maximum length of a recorded line, in characters. A snapshot of dolarapi.com has about 1,100. */
const recordedLineCharsMax = 1_048_576;

/** Maximum single wait. Timers take at most 24 days, and a clock may be adjusted meanwhile. */
const waitMsMax = 3_600_000;

/** What a replay is built from, besides its configuration. */
interface ReplayDeps extends Pick<FeedDeps, 'directory' | 'log' | 'pause'> {
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

/** A line without an instant is passed on at once. */
function instantOf({ at = -Infinity }: RecordedBatch): number {
  return at;
}

/** Merges recordings by their instants. Each of them is in order, except for a few lines. */
async function* inOrderOfTime(
  recordings: readonly AsyncGenerator<RecordedBatch, void, undefined>[],
): AsyncIterable<RecordedBatch> {
  const heads = new Map<(typeof recordings)[number], RecordedBatch>();
  const advance = async (recording: (typeof recordings)[number]): Promise<void> => {
    const { done, value } = await recording.next();
    if (done === true) heads.delete(recording);
    else heads.set(recording, value);
  };
  try {
    for (const recording of recordings) await advance(recording);
    while (heads.size > 0) {
      const [recording, head] = [...heads].reduce((first, one) =>
        instantOf(one[1]) < instantOf(first[1]) ? one : first,
      );
      yield head;
      await advance(recording);
    }
  } finally {
    await Promise.all(recordings.map((recording) => recording.return()));
  }
}

/**
 * Recordings from files, played in their own time.
 *
 * @param sources the types whose recordings can be read: each gives a format of its name.
 */
export function createReplayType(sources: readonly FeedType[]): FeedType<ReplayConfig> {
  const formats = new Map<string, LineMapper>([['updates', mapUpdatesLine]]);
  for (const { type, mapRecordedLine } of sources) {
    if (mapRecordedLine !== undefined) formats.set(type, mapRecordedLine);
  }
  return {
    type: 'replay',
    schema: replaySchema([...formats.keys()]),
    create(config, deps) {
      const mapLine = formats.get(config.format);
      if (mapLine === undefined) throw new Error(`no format ${config.format}`);
      return createReplayFeed(config, { ...deps, mapLine });
    },
    createClock: ({ speed }, real) => new ReplayClock({ real, speed }),
    files: ({ files }) => files,
    mustBeAlone: 'the clock of the service follows the recording; one replay plays several files',
  };
}
