import { LRUCache } from 'lru-cache';

import type { Board } from '../../board/board.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { toEpochDay } from '../../domain/calendar/plain-date.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import { eventList, eventTable, inEventOrder } from '../../wire/bodies/event-body.ts';
import { eventParameters, parseEventParams } from '../../wire/params/event-params.ts';
import type { JoinedEvents } from '../../wire/params/event-params.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import { Body } from '../content/body.ts';
import type { Content, TableSource } from '../content/content.ts';
import { mediaTypeOf } from '../content/negotiation.ts';
import { missingFields } from '../handler/response-draft.ts';
import { Fields } from '../handler/fields.ts';
import type { KnownResponses } from '../known/known-responses.ts';

/** Maximum number of contents that are cached, and the maximum length of a query and of a text. */
const cachedMax = 512;
const cachedQueryLengthMax = 256;
const cachedTextLengthMax = 8 * 1024;

/** A rendered content. It is valid while its instrument has these actions. */
interface Rendered {
  readonly content: Content;
  readonly instrument: Instrument;
  readonly actions: readonly CorporateAction[];
}

/** The corporate actions of one instrument, or of several, in a range of days (contract 4.8). */
export function eventos({
  board,
  actions,
  known,
  tickersMax,
}: {
  readonly board: Pick<Board, 'universe' | 'resolve'>;
  readonly known: KnownResponses;
  /** Gives the corporate actions in force. */
  readonly actions: () => CorporateActions;
  readonly tickersMax: number;
}): TableSource {
  const { universe } = board;
  const cached = new LRUCache<string, Rendered>({ max: cachedMax });
  // Not cached: the query may be long, and a client rarely repeats it.
  const joined = ({ selection, from, to }: JoinedEvents, format: TableFormat): Content => {
    const range = { from: toEpochDay(from), to: toEpochDay(to) };
    const named = board.resolve(selection);
    const instruments = named.filter((one) => typeof one !== 'string');
    const rows = instruments.flatMap(({ ticker }) =>
      inEventOrder(within(actions().of(ticker), range)),
    );
    const text = Buffer.from(eventTable(rows, format));
    const body = new Body({ type: mediaTypeOf(format), parts: [text], mayCompress: () => true });
    return { body, fields: missingFields(named.filter((one) => typeof one === 'string')) };
  };
  return {
    path: '/eventos',
    parameters: eventParameters,
    clear: () => cached.clear(),
    find: (rawQuery, format, caller) => {
      const key = `${format} ${rawQuery}`;
      const held = cached.get(key);
      if (held !== undefined && actions().of(held.instrument.ticker) === held.actions) {
        return { ok: true, value: held.content };
      }
      const query = parseEventParams(rawQuery, tickersMax);
      if (!query.ok) return query;
      const { value: wanted } = query;
      if (wanted.knownAt !== undefined) {
        const asOf = { ...wanted, knownAt: wanted.knownAt };
        return known.events(rawQuery, asOf, format, caller);
      }
      if ('selection' in wanted) return { ok: true, value: joined(wanted, format) };
      const { ticker } = wanted;
      const instrument = universe.find(ticker);
      if (instrument === undefined) {
        const { body } = bodyOf([], format);
        return { ok: true, value: { body, fields: missingFields([ticker]) } };
      }
      const all = actions().of(instrument.ticker);
      const range = { from: toEpochDay(wanted.from), to: toEpochDay(wanted.to) };
      const { body, length } = bodyOf(within(all, range), format);
      const content = { body, fields: Fields.none };
      if (rawQuery.length <= cachedQueryLengthMax && length <= cachedTextLengthMax) {
        cached.set(key, { content, instrument, actions: all });
      }
      return { ok: true, value: content };
    },
  };
}

function within(
  actions: readonly CorporateAction[],
  { from, to }: DayRange,
): readonly CorporateAction[] {
  return actions.filter(({ exDay }) => exDay >= from && exDay <= to);
}

function bodyOf(
  actions: readonly CorporateAction[],
  format: TableFormat,
): { readonly body: Body; readonly length: number } {
  const text = Buffer.from(eventList(actions, format));
  const body = new Body({ type: mediaTypeOf(format), parts: [text], mayCompress: () => true });
  return { body, length: text.length };
}
