import { mapPushedLine } from '../push/map-pushed.ts';
import type { RecordedBatch, Rejected } from './recording.ts';

/** Maps one line of recorded updates, in the format of `POST /updates`. Pure. */
export function mapUpdatesLine(text: string): RecordedBatch | { readonly rejected: Rejected } {
  const mapped = mapPushedLine(text);
  if ('update' in mapped) return { at: mapped.update.at, updates: [mapped.update], rejected: [] };
  const reason = mapped.refused === 'not-json' ? 'not-json' : 'unintelligible';
  return { rejected: { reason, detail: mapped.detail } };
}
