import { fieldsOf, parseJson } from '../shapes/as-record.ts';
import { reject } from '../contract/sample.ts';
import type { RecordedBatch } from '../contract/recording.ts';
import { instantOf, mapEntries } from './dolarapi-mapper.ts';

/**
 * Reads one line of the recorded history of dolarapi.com: a snapshot of one of its documents, with
 * the instant at which it was recorded. Pure.
 */
export function mapDolarapiLine(text: string): RecordedBatch {
  const { committedAt, data, path } = fieldsOf(parseJson(text));
  const at = instantOf(committedAt);
  if (at === undefined || !Array.isArray(data)) return unreadable(text);
  const isFromUtcMachine = /(?:Z|[+-]00:00)$/i.test(String(committedAt));
  return { at, ...mapEntries(data, { at, path, isFromUtcMachine }) };
}

function unreadable(text: string): RecordedBatch {
  return { at: undefined, updates: [], rejected: [reject('unintelligible', text)] };
}
