import { ConfigFields } from './config-fields.ts';
import type { FeedConfigFault } from './config-fields.ts';

/** What the configuration says of one feed. */
export type FeedConfig = PushFeedConfig | ReplayFeedConfig | SimulatedFeedConfig;

/** What every feed has. */
interface CommonConfig {
  readonly name: string;
  readonly staleAfterMs: number;
  readonly markets: ReadonlySet<string> | undefined;
}

/** The operator's own source, which posts to the private listener. */
interface PushFeedConfig extends CommonConfig {
  readonly type: 'push';
}

/** How the lines of a recording are to be read. */
export type RecordingFormat = (typeof recordingFormats)[number];

const recordingFormats = ['dolarapi', 'updates'] as const;

/** Recorded time per real time; `max` goes from one record to the next without waiting. */
export type ReplaySpeed = number | 'max';

/** Recorded snapshots from files. */
export interface ReplayFeedConfig extends CommonConfig {
  readonly type: 'replay';
  /** Paths, played as one recording; relative ones are so to the configuration file. */
  readonly files: readonly string[];
  readonly format: RecordingFormat;
  readonly speed: ReplaySpeed;
}

/** Synthetic prices. */
export interface SimulatedFeedConfig extends CommonConfig {
  readonly type: 'simulated';
  readonly seed: number;
  /** Over the whole universe. */
  readonly updatesPerSecond: number;
  /** Whether prices move while a market is closed, too. */
  readonly alwaysOpen: boolean;
}

/** The feeds that a configuration names, or all that is wrong with it. */
export type FeedConfigResult =
  | { readonly ok: true; readonly feeds: readonly FeedConfig[] }
  | { readonly ok: false; readonly faults: readonly FeedConfigFault[] };

/** The most updates a second that the simulation makes. */
const updatesPerSecondMax = 10_000;

const names = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/** How long each type of feed may be silent by default: recordings have a snapshot an hour. */
const staleAfterSeconds = { push: 300, replay: 7_200, simulated: 60 } as const;

/** The fields of each type besides `name`, `type`, `staleAfterSeconds` and `markets`. */
const ownFields = {
  push: [],
  replay: ['files', 'format', 'speed'],
  simulated: ['seed', 'updatesPerSecond', 'alwaysOpen'],
} as const;

/**
 * Reads what stands under `feeds:` in the configuration file, as the YAML library gave it; absent or
 * empty means no feeds. Every fault is found in one go, and a misspelled field is one.
 *
 * @param markets the codes of the universe's markets.
 */
export function readFeedConfig(value: unknown, markets: ReadonlySet<string>): FeedConfigResult {
  if (value === undefined || value === null) return { ok: true, feeds: [] };
  const faults: FeedConfigFault[] = [];
  if (!Array.isArray(value)) {
    return { ok: false, faults: [{ path: 'feeds', message: 'is to be a list of feeds' }] };
  }
  const feeds = (value as readonly unknown[]).flatMap((one, index) => {
    const fields = new ConfigFields(one, `feeds[${index}]`, faults);
    const feed = readFeed(fields, markets);
    return feed === undefined ? [] : [feed];
  });
  checkTogether(feeds, faults);
  return faults.length === 0 ? { ok: true, feeds } : { ok: false, faults };
}

function readFeed(fields: ConfigFields, markets: ReadonlySet<string>): FeedConfig | undefined {
  const type = fields.oneOf('type', ['push', 'replay', 'simulated'] as const);
  if (type === undefined) return undefined;
  fields.allowOnly(['name', 'type', 'staleAfterSeconds', 'markets', ...ownFields[type]]);
  const common = {
    name: fields.matching('name', names, 'a name of lower-case letters, digits, - and _'),
    staleAfterMs:
      1000 * fields.number('staleAfterSeconds', { min: 1, max: 604_800 }, staleAfterSeconds[type]),
    markets: fields.members('markets', markets),
  };
  switch (type) {
    case 'push':
      return { type, ...common };
    case 'replay':
      return {
        type,
        ...common,
        files: fields.paths('files'),
        format: fields.oneOf('format', recordingFormats, 'updates') ?? 'updates',
        speed: fields.speed('speed'),
      };
    case 'simulated':
      return {
        type,
        ...common,
        seed: fields.integer('seed', { min: 0, max: 0xff_ff_ff_ff }, 1),
        updatesPerSecond: fields.number(
          'updatesPerSecond',
          { min: 0.1, max: updatesPerSecondMax },
          50,
        ),
        alwaysOpen: fields.boolean('alwaysOpen', false),
      };
  }
}

/** What is sound by itself may still not go together. */
function checkTogether(feeds: readonly FeedConfig[], faults: FeedConfigFault[]): void {
  const repeated = feeds.find(
    ({ name }, index) => feeds.findIndex((one) => one.name === name) < index,
  );
  if (repeated !== undefined) {
    faults.push({ path: 'feeds', message: `has two feeds named ${repeated.name}` });
  }
  if (feeds.filter(({ type }) => type === 'push').length > 1) {
    faults.push({
      path: 'feeds',
      message: 'can have one push feed: all keys push to the same one',
    });
  }
  if (feeds.length > 1 && feeds.some(({ type }) => type === 'replay')) {
    const message =
      'can have no other feed beside a replay, for the clock follows the recording; ' +
      'one replay takes several files';
    faults.push({ path: 'feeds', message });
  }
  if (feeds.length > 1 && feeds.some(({ type }) => type === 'simulated')) {
    const message =
      'can have no other feed beside a simulated one: real and made-up prices never mix';
    faults.push({ path: 'feeds', message });
  }
}
