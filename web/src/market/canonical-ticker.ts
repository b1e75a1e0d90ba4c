import { computed } from '@preact/signals';

import { instruments } from './instruments.ts';

const byKey = computed(
  () => new Map([...instruments.value.keys()].map((ticker) => [tickerKey(ticker), ticker])),
);

/**
 * The spelling of a ticker in the universe. An address may have another one (contract 2.5.2), but
 * responses have only this one. An unknown ticker, and any ticker before the list of instruments is
 * loaded, is returned as it is.
 */
export function canonicalTicker(text: string): string {
  return byKey.value.get(tickerKey(text)) ?? text;
}

/** The spelling that all spellings of a ticker share: upper case, with single spaces. */
function tickerKey(text: string): string {
  return text.trim().replaceAll(/\s+/gu, ' ').toUpperCase();
}

/** The tickers of a text with commas, in the spelling of the universe, each once. */
export function canonicalTickers(tickers: readonly string[]): readonly string[] {
  const named = tickers.map((ticker) => canonicalTicker(ticker.trim())).filter((one) => one !== '');
  return [...new Map(named.map((one) => [tickerKey(one), one])).values()];
}
