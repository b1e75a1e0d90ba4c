import { basename } from 'node:path';

import { LineCounter, parseDocument } from 'yaml';

import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import {
  fileFault,
  type FileText,
  type UniverseFault,
} from '../../universe/files/universe-fault.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import { actionsOfAlpaca } from '../../feeds/shapes/alpaca-corporate-actions.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { asRecord } from '../../feeds/shapes/as-record.ts';
import { actionsOfChart } from '../../feeds/shapes/chart-events.ts';
import { dateOfInstant } from '../../feeds/shapes/date-of-instant.ts';
import { yamlExcess } from '../../lib/text/yaml-excess.ts';
import { yamlPlaceOf } from '../../lib/text/yaml-places.ts';
import { endOfOld, type TermsAction } from './action-fields.ts';
import type { LocatedRecord } from '../files/records.ts';

/** The content of one file. With faults, its actions are incomplete. */
export interface ActionFile {
  readonly actions: readonly LocatedRecord<CorporateAction | TermsAction>[];
  readonly faults: readonly UniverseFault[];
  /** Names of instruments that a market-wide file has and the universe has not. Their actions are left out. */
  readonly unknown: readonly string[];
}

/** The instrument that a source names. */
export interface SourceNames {
  /** The instrument of a symbol of Yahoo Finance. */
  readonly ofYahoo: (symbol: string) => Ticker | undefined;
  /** The instrument of a symbol of Alpaca. */
  readonly ofAlpaca: (symbol: string) => Ticker | undefined;
  /** The ticker that an exchange symbol of the United States has, or would have. */
  readonly ofUsSymbol: (symbol: string) => Ticker;
}

/** What files are read with. */
export interface ActionContext {
  readonly universe: Universe;
  readonly names: SourceNames;
  /** The recorded actions, whose changes of the ticker say which tickers are old. */
  readonly recorded: CorporateActions;
}

/** The result for a file that has no actions at all. */
export function notActions(file: string): ActionFile {
  const message =
    'these are not corporate actions; import a CSV or YAML table, a chart of Yahoo Finance, or a list of Alpaca (docs/corporate-actions.md)';
  return { actions: [], faults: [fileFault(file, message)], unknown: [] };
}

/** Longer documents are not parsed a second time for the line of a fault, in characters. */
const locatedCharsMax = 1_048_576;

const unread = 'not readable; correct it, or delete it';

/** What a document contains, before its faults are located. */
interface Content extends Omit<ActionFile, 'faults' | 'actions'> {
  readonly actions: readonly CorporateAction[];
  readonly faults: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Reads a document of a source: a chart of Yahoo Finance with its events, or a response of Alpaca's
 * corporate actions. Gives undefined for a text that is no JSON, and for a list of actions.
 */
export function jsonActions(source: FileText, context: ActionContext): ActionFile | undefined {
  const { file, text } = source;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const content = chartContent(body, file, context) ?? alpacaContent(body, file, context);
  if (content === undefined) return isOurs(body) ? undefined : notActions(file);
  return {
    actions: content.actions.map((value) => ({ value, line: 0 })),
    faults: located(source, content.faults),
    unknown: content.unknown,
  };
}

/** A list of actions, or an object with such a list, is read with the places of its fields. */
function isOurs(body: unknown): boolean {
  return Array.isArray(body) || Object.hasOwn(asRecord(body) ?? {}, 'actions');
}

function chartContent(
  body: unknown,
  file: string,
  { universe, names }: ActionContext,
): Content | undefined {
  const { result } = asRecord(asRecord(body)?.['chart']) ?? {};
  if (!Array.isArray(result)) return undefined;
  const actions: Content['actions'][number][] = [];
  const faults: { path: string; message: string }[] = [];
  for (const [index, one] of result.entries()) {
    const { meta, events } = asRecord(one) ?? {};
    const { symbol, currency } = asRecord(meta) ?? {};
    const path = `chart.result[${index}]`;
    const ticker = typeof symbol === 'string' ? names.ofYahoo(symbol) : undefined;
    const instrument = ticker === undefined ? undefined : universe.find(ticker);
    if (instrument === undefined || typeof currency !== 'string') {
      const message = 'no instrument of the universe has this symbol; the file was not imported';
      faults.push({ path: `${path}.meta.symbol`, message });
      continue;
    }
    const calendar = new SessionCalendar(universe.marketOf(instrument));
    const read = actionsOfChart(events, {
      ticker: instrument.ticker,
      currency,
      source: basename(file),
      dateAt: (epochMs) => dateOfInstant(epochMs, calendar),
    });
    actions.push(...read.actions);
    faults.push(...read.unread.map((at) => ({ path: `${path}.${at}`, message: unread })));
  }
  return { actions, faults, unknown: [] };
}

/** An old ticker has the actions of the days before its change. Later ones are of another company. */
function alpacaContent(body: unknown, file: string, context: ActionContext): Content | undefined {
  const { names } = context;
  if (asRecord(asRecord(body)?.['corporate_actions']) === undefined) return undefined;
  const endOf = (ticker: Ticker) => endOfOld(ticker, context);
  const oldTickerOf = (symbol: string) => {
    const ticker = names.ofUsSymbol(symbol);
    return endOf(ticker) === undefined ? undefined : ticker;
  };
  const read = actionsOfAlpaca(body, {
    tickerOf: (symbol) => names.ofAlpaca(symbol) ?? oldTickerOf(symbol),
    nameOf: names.ofUsSymbol,
    source: basename(file),
  });
  const faults = read.unread.map((path) => ({ path, message: unread }));
  const isOfOther = ({ ticker, exDay }: CorporateAction) => exDay > (endOf(ticker) ?? exDay);
  return {
    actions: read.actions.filter((action) => !isOfOther(action)),
    faults,
    unknown: [...read.unknown, ...read.actions.filter(isOfOther).map(({ ticker }) => ticker)],
  };
}

/** JSON is YAML, so the YAML parser finds the places. */
function located({ file, text }: FileText, faults: Content['faults']): readonly UniverseFault[] {
  if (faults.length === 0) return [];
  const lines = new LineCounter();
  const document =
    text.length > locatedCharsMax || yamlExcess(text) !== undefined
      ? undefined
      : parseDocument(text, { lineCounter: lines });
  return faults.map(({ path, message }) => {
    const place =
      document === undefined
        ? { line: 0, column: 0 }
        : yamlPlaceOf(document, lines, path.match(/[^.[\]]+/g) ?? []);
    return { file, ...place, value: path, message };
  });
}
