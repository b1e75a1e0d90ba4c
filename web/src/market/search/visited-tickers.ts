import { storedValue } from '../../ui/stored-value.ts';
import { readVisits, withVisit } from './visits.ts';

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
