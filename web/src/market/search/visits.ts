import { storedValue } from '../../ui/stored-value.ts';

/** Maximum number of instruments that are remembered. */
const visitsMax = 8;

/** The instruments whose pages were opened last, the latest first. The browser stores them. */
export const visitedTickers = storedValue({
  name: 'pizarra.visited',
  initial: [],
  read: readVisits,
});

/** Remembers that the page of an instrument was opened. */
export function rememberVisit(ticker: string): void {
  visitedTickers.value = withVisit(visitedTickers.peek(), ticker);
}

/** The visited tickers after one more visit, the latest first, each once. */
export function withVisit(tickers: readonly string[], ticker: string): readonly string[] {
  return [ticker, ...tickers.filter((one) => one !== ticker)].slice(0, visitsMax);
}

/** The tickers of a stored value. Undefined if it is not a list of texts. */
export function readVisits(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) return undefined;
  return [...new Set(value)].slice(0, visitsMax);
}
