import { instruments } from '../market/instruments.ts';

/**
 * Whether the ticker or the name of an instrument contains a text that {@link foldText} returned.
 */
export function matches(ticker: string, wanted: string): boolean {
  if (wanted === '') return true;
  const name = instruments.value.get(ticker)?.nombre ?? '';
  return foldText(`${ticker} ${name}`).includes(wanted);
}

/** Removes accents and converts to lower case, for searching. */
export function foldText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}
