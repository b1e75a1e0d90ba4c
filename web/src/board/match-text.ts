import { instruments } from '../market/instruments.ts';

/** Whether an instrument's ticker or name contains a text that {@link foldText} gave. */
export function matches(ticker: string, wanted: string): boolean {
  if (wanted === '') return true;
  const name = instruments.value.get(ticker)?.nombre ?? '';
  return foldText(`${ticker} ${name}`).includes(wanted);
}

/** A text without accents and capitals, as people type when they search. */
export function foldText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}
