import { mapPushedLine } from '../shapes/map-update.ts';
import type { RecordedBatch } from '../contract/recording.ts';

/** Reads one line of recorded updates in the format of `POST /updates`. Pure. */
export function mapUpdatesLine(text: string): RecordedBatch {
  const mapped = mapPushedLine(text);
  if ('update' in mapped) return { at: mapped.update.at, updates: [mapped.update], rejected: [] };
  const rejected = { reason: 'unintelligible', sample: mapped.detail } as const;
  return { at: undefined, updates: [], rejected: [rejected] };
}
