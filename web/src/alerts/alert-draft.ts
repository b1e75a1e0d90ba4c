import type { InstrumentInfo } from '../market/api/quote.ts';
import type { AlertKind, AlertWay, Condition } from './alert.ts';
import { neverHas, readLevel } from './alert-level.ts';

/** What the user has entered for an alert. */
export interface AlertDraft {
  /** In the spelling of the universe, if it has the instrument. */
  readonly ticker: string;
  readonly info: InstrumentInfo | undefined;
  readonly kind: AlertKind;
  /** Undefined until the user chooses a direction. */
  readonly way: AlertWay | undefined;
  readonly text: string;
  /** The value that the instrument has now, if it has one. */
  readonly current: number | undefined;
}

/** The fields of the form in which an entry can be wrong. */
export type DraftField = 'ticker' | 'kind' | 'level';

/** The condition that a draft means, or what is wrong with it and in which field. */
export type ReadDraft =
  | { readonly condition: Condition }
  | { readonly field: DraftField; readonly problem: string };

/** Reads a draft. The first wrong field counts. */
export function readDraft(draft: AlertDraft): ReadDraft {
  const { ticker, info, kind, text } = draft;
  if (ticker.trim() === '') return { field: 'ticker', problem: 'Falta la especie.' };
  if (info === undefined) {
    return { field: 'ticker', problem: `La especie «${ticker}» no existe.` };
  }
  const never = neverHas(kind, info);
  if (never !== undefined) return { field: 'kind', problem: never };
  const read = readLevel(kind, text, info);
  if ('problem' in read) return { field: 'level', problem: read.problem };
  return { condition: { ticker, kind, way: wayOf(draft), level: read.level } };
}

/**
 * The direction of a draft. Until the user chooses one, it is that from the current value to the level.
 * A volume only rises.
 */
export function wayOf({ kind, way, text, info, current }: AlertDraft): AlertWay {
  if (kind === 'volumen') return 'sube';
  if (way !== undefined) return way;
  const read = readLevel(kind, text, info);
  return 'level' in read && current !== undefined && read.level < current ? 'baja' : 'sube';
}
