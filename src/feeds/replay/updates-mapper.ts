import { mapPushedLine } from '../push/map-pushed.ts';
import type { RecordedBatch, Rejected } from './recording.ts';

/** Reads one line of recorded updates: what `POST /updates` takes, recorded when it says. Pure. */
export function mapUpdatesLine(text: string): RecordedBatch | { readonly rejected: Rejected } {
  const mapped = mapPushedLine(text);
  if ('update' in mapped) return { at: mapped.update.at, updates: [mapped.update], rejected: [] };
  const reason = mapped.refused === 'not-json' ? 'not-json' : 'unintelligible';
  return { rejected: { reason, detail: mapped.detail } };
}
