import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import type { InstantTexts } from '../texts/instant-texts.ts';
import { barJson } from './bar-body.ts';

/** A bar as it is at one moment. A bar that changes is another object. */
export interface BarState {
  readonly instrument: Instrument;
  readonly bar: Bar;
}

/** Rendered events, cached because all streams of an interval send the same text. */
const rendered = new WeakMap<BarState, string>();
const renderedWithInstant = new WeakMap<BarState, string>();

/**
 * A bar as a server-sent event: named `barra`, with the row of `/intradiarios` as data (contract
 * 4.9.5). It has no id: a client resumes after the last quote, and gets the latest bars again.
 *
 * @param instants given if the client requested the instant.
 */
export function barEvent(state: BarState, instants?: InstantTexts): string {
  const cache = instants === undefined ? rendered : renderedWithInstant;
  const known = cache.get(state);
  if (known !== undefined) return known;
  const text = `event: barra\ndata: ${barJson(state.instrument, state.bar, instants)}\n\n`;
  cache.set(state, text);
  return text;
}
