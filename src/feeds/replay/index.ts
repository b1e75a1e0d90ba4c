import type { FeedType } from '../contract/feed-type.ts';
import type { LineMapper } from '../contract/recording.ts';
import { ReplayClock } from './replay-clock.ts';
import { replaySchema, type ReplayConfig } from './replay-config.ts';
import { createReplayFeed } from './replay-feed.ts';
import { mapUpdatesLine } from './updates-mapper.ts';

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
