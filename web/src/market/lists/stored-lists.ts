import { storedValue } from '../../ui/stored-value.ts';
import {
  changeList,
  findList,
  freeName,
  listsMax,
  moveItem,
  readLists,
  tickersMax,
  type TickerList,
  type TickerLists,
} from './ticker-lists.ts';

/** The lists of this browser. */
export const tickerLists = storedValue<TickerLists>({
  name: 'pizarra.lists',
  initial: [],
  read: readLists,
});

/** Adds a list under a free name. Returns its name, or undefined if there are too many lists. */
export function addList({ name, tickers, ...rest }: TickerList): string | undefined {
  const lists = tickerLists.value;
  if (lists.length >= listsMax) return undefined;
  const free = freeName(lists, name);
  tickerLists.value = [...lists, { ...rest, name: free, tickers: tickers.slice(0, tickersMax) }];
  return free;
}

/** Changes the name or the tickers of a list. */
export function updateList(name: string, changes: Partial<TickerList>): void {
  tickerLists.value = changeList(tickerLists.value, name, changes);
}

/** Deletes a list. */
export function removeList(name: string): void {
  tickerLists.value = tickerLists.value.filter((list) => list.name !== name);
}

/** Adds a ticker to the end of a list, or removes it. A full list does not change. */
export function setMember(name: string, ticker: string, isMember: boolean): void {
  const tickers = findList(tickerLists.value, name)?.tickers ?? [];
  if (tickers.includes(ticker) === isMember) return;
  if (!isMember) updateList(name, { tickers: tickers.filter((one) => one !== ticker) });
  else if (tickers.length < tickersMax) updateList(name, { tickers: [...tickers, ticker] });
}

/** Moves a ticker within its list by a number of places. */
export function moveInList(name: string, ticker: string, by: number): void {
  const list = findList(tickerLists.value, name);
  if (list !== undefined) updateList(list.name, { tickers: moveItem(list.tickers, ticker, by) });
}

/** Moves the tab of a list by a number of places. */
export function moveList(list: TickerList, by: number): void {
  tickerLists.value = moveItem(tickerLists.value, list, by);
}
