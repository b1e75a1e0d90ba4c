import type { DailyClose } from '../../src/domain/history/daily-close.ts';
import {
  firstEpochDay,
  lastEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import type { Store } from '../../src/store/contract/store.ts';
import { testStamp } from '../support/market/test-change.ts';

export const al30 = 'AL30' as Ticker;
export const ggal = 'GGAL' as Ticker;
export const mep = 'DOLAR MEP' as Ticker;
export const allDays = { from: firstEpochDay, to: lastEpochDay };

export function day(date: string): EpochDay {
  return toEpochDay(date as PlainDate);
}

export function close(date: string, value: number, volume: number | null = null): DailyClose {
  return { day: day(date), close: value, volume };
}

export function session(ticker: Ticker, date: string) {
  return { ticker, sessionDate: date as PlainDate };
}

export function put(store: Store, ticker: Ticker, closes: readonly DailyClose[]): Promise<void> {
  return store.history.transaction((transaction) => transaction.put(ticker, closes), testStamp);
}

export function readRows(store: Store, ticker: Ticker): Promise<readonly DailyClose[]> {
  return store.history.transaction((transaction) => transaction.read(ticker, allDays), testStamp);
}
