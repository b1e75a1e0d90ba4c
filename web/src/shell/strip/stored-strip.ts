import { moveItem } from '../../market/lists/ticker-lists.ts';
import { storedValue } from '../../ui/stored-value.ts';
import { placeAt } from '../../ui/order/use-drag-order.ts';
import { defaultStrip, readStrip, stripMax, type StripChoice } from './strip-choice.ts';

/** The strip of this browser. */
export const strip = storedValue<StripChoice>({
  name: 'pizarra.strip',
  initial: defaultStrip,
  read: readStrip,
});

/** Shows or hides the strip. */
export function showStrip(isShown: boolean): void {
  strip.value = { ...strip.value, isShown };
}

/** Adds an instrument at the end. Returns whether it is new there, and there is room for it. */
export function addToStrip(ticker: string): boolean {
  const { tickers } = strip.value;
  if (tickers.includes(ticker) || tickers.length >= stripMax) return false;
  choose([...tickers, ticker]);
  return true;
}

/** Removes an instrument. */
export function removeFromStrip(ticker: string): void {
  choose(strip.value.tickers.filter((one) => one !== ticker));
}

/** Moves an instrument by a number of places. */
export function moveInStrip(ticker: string, by: number): void {
  choose(moveItem(strip.value.tickers, ticker, by));
}

/** Moves an instrument to the place of another one. */
export function dropInStrip(ticker: string, target: string): void {
  choose(placeAt(strip.value.tickers, ticker, target));
}

/** Chooses the instruments of a new visitor again. */
export function resetStrip(): void {
  choose(defaultStrip.tickers);
}

function choose(tickers: readonly string[]): void {
  strip.value = { ...strip.value, tickers };
}
