import { ConfigFields } from './config-fields.ts';
import type { FeedConfigFault } from './config-fields.ts';

/** The configuration of one feed. */
export type FeedConfig = PushFeedConfig | ReplayFeedConfig | SimulatedFeedConfig;

/** The fields of every feed. */
interface CommonConfig {
  readonly name: string;
  readonly staleAfterMs: number;
  readonly markets: ReadonlySet<string> | undefined;
}

/** The operator's own source, which posts updates to the private listener. */
interface PushFeedConfig extends CommonConfig {
  readonly type: 'push';
}

/** The format of the lines of a recording. */
export type RecordingFormat = (typeof recordingFormats)[number];

const recordingFormats = ['dolarapi', 'updates'] as const;

/** Recorded time per real time. `max` plays the records without waiting between them. */
export type ReplaySpeed = number | 'max';

/** A feed that plays recorded snapshots from files. */
export interface ReplayFeedConfig extends CommonConfig {
  readonly type: 'replay';
  /** Paths, played as one recording, relative to the configuration file's directory. */
  readonly files: readonly string[];
  readonly format: RecordingFormat;
  readonly speed: ReplaySpeed;
}

/** A feed of simulated prices. */
export interface SimulatedFeedConfig extends CommonConfig {
  readonly type: 'simulated';
  readonly seed: number;
  /** Updates per second, over the whole universe. */
  readonly updatesPerSecond: number;
  /** Whether prices also change while a market is closed. */
  readonly alwaysOpen: boolean;
}

/** The configured feeds, or all faults of the configuration. */
export type FeedConfigResult =
  | { readonly ok: true; readonly feeds: readonly FeedConfig[] }
  | { readonly ok: false; readonly faults: readonly FeedConfigFault[] };

/** Maximum number of simulated updates per second. */
const updatesPerSecondMax = 10_000;

const names = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/** Time without data before a feed is stale, by default. Recordings have one snapshot an hour. */
const staleAfterSeconds = { push: 300, replay: 7_200, simulated: 60 } as const;

/** The fields of each type besides the common ones. */
const ownFields = {
  push: [],
  replay: ['files', 'format', 'speed'],
  simulated: ['seed', 'updatesPerSecond', 'alwaysOpen'],
} as const;

/**
 * Reads the value of `feeds:` in the configuration file, as the YAML library parsed it. Absent or
 * empty means no feeds. All faults are reported at once. An unknown field is a fault, because it
 * may be misspelled.
 *
 * @param markets the codes of the universe's markets.
 */
export function readFeedConfig(value: unknown, markets: ReadonlySet<string>): FeedConfigResult {
  if (value === undefined || value === null) return { ok: true, feeds: [] };
  const faults: FeedConfigFault[] = [];
  if (!Array.isArray(value)) {
    return { ok: false, faults: [{ path: 'feeds', message: 'must be a list of feeds' }] };
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

/** Checks the combination of feeds, each of which is valid by itself. */
function checkTogether(feeds: readonly FeedConfig[], faults: FeedConfigFault[]): void {
  const repeated = feeds.find(
    ({ name }, index) => feeds.findIndex((one) => one.name === name) < index,
  );
  if (repeated !== undefined) {
    faults.push({ path: 'feeds', message: `contains two feeds named ${repeated.name}` });
  }
  if (feeds.filter(({ type }) => type === 'push').length > 1) {
    faults.push({
      path: 'feeds',
      message: 'can contain only one push feed, because all ingest keys push to the same one',
    });
  }
  if (feeds.length > 1 && feeds.some(({ type }) => type === 'replay')) {
    const message =
      'cannot contain another feed beside a replay, because the clock follows the recording; ' +
      'to play several recordings, list their files in one replay';
    faults.push({ path: 'feeds', message });
  }
  if (feeds.length > 1 && feeds.some(({ type }) => type === 'simulated')) {
    const message =
      'cannot contain another feed beside a simulated one, because real and simulated prices never mix';
    faults.push({ path: 'feeds', message });
  }
}
