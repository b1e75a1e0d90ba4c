import type { BondTerms } from '../../../src/domain/instruments/bond-terms.ts';
import type { Derivation } from '../../../src/domain/instruments/derivation.ts';
import {
  instrumentKinds,
  type DollarPayment,
  type Instrument,
  type InstrumentKind,
} from '../../../src/domain/instruments/instrument.ts';
import type { Market } from '../../../src/domain/calendar/market.ts';
import { panelCodes, type PanelCode } from '../../../src/domain/instruments/panel.ts';
import type { PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { Universe } from '../../../src/domain/instruments/universe.ts';

/** The fields of an instrument that matter to a test. The others are those of a usual BYMA instrument. */
export interface InstrumentSketch {
  readonly ticker: string;
  readonly name?: string;
  readonly ratio?: string;
  readonly underlying?: string;
  readonly maturity?: string;
  /** The class in pesos, and where the dollars of this class are paid. */
  readonly dollarClass?: readonly [base: string, paid: DollarPayment];
  readonly issuer?: string;
  readonly kind?: InstrumentKind;
  readonly market?: string;
  readonly currency?: string;
  readonly decimals?: number;
  readonly pricePer?: number;
  readonly panels?: readonly PanelCode[];
  readonly derivation?: Derivation;
}

const weekdays = new Set([1, 2, 3, 4, 5]);
const minutesPerDay = 1440;

/** Three markets that differ in hours, holidays, settlement, time zone and weekends. */
export const sketchMarkets: ReadonlyMap<string, Market> = new Map(
  [
    {
      code: 'BYMA',
      name: 'Bolsas y Mercados Argentinos',
      timeZone: 'America/Argentina/Buenos_Aires',
      weekdays,
      hours: [{ openMinute: 630, closeMinute: 1020 }],
      holidays: holidays('2026-01-01', '2026-11-23', '2026-12-08', '2026-12-25'),
      unsettled: new Set(['2026-12-07', '2026-12-24'] as PlainDate[]),
      earlyCloses: new Map([['2026-12-24' as PlainDate, 900]]),
    },
    {
      code: 'NYSE',
      name: 'New York Stock Exchange',
      timeZone: 'America/New_York',
      weekdays,
      hours: [{ openMinute: 570, closeMinute: 960 }],
      holidays: holidays('2026-01-01', '2026-11-26', '2026-12-25'),
      unsettled: new Set(['2026-11-11' as PlainDate]),
      earlyCloses: new Map([['2026-11-27' as PlainDate, 780]]),
    },
    {
      code: 'CRIPTO',
      name: 'Cripto',
      timeZone: 'America/Argentina/Buenos_Aires',
      weekdays: new Set([1, 2, 3, 4, 5, 6, 7]),
      hours: [{ openMinute: 0, closeMinute: minutesPerDay }],
      holidays: holidays(),
      unsettled: new Set<PlainDate>(),
      earlyCloses: new Map<PlainDate, number>(),
    },
  ].map((market) => [market.code, market]),
);

function holidays(...dates: readonly string[]): ReadonlyMap<PlainDate, string> {
  return new Map(dates.map((date) => [date as PlainDate, 'Feriado']));
}

/** Builds a universe of a few instruments. Derived instruments must come after their inputs. */
export function makeUniverse(
  sketches: readonly InstrumentSketch[],
  bondTerms: readonly BondTerms[] = [],
): Universe {
  const instruments = sketches.map((sketch, position) => makeInstrument(sketch, position));
  const membersOf = (code: PanelCode): readonly Instrument[] =>
    instruments.filter((_, index) => sketches[index]?.panels?.includes(code));
  return new Universe({
    instruments,
    markets: sketchMarkets,
    panels: new Map(panelCodes.map((code) => [code, membersOf(code)])),
    bondTerms,
    derived: instruments.flatMap((instrument, index) => {
      const derivation = sketches[index]?.derivation;
      return derivation === undefined ? [] : [{ instrument, derivation }];
    }),
  });
}

function makeInstrument(sketch: InstrumentSketch, position: number): Instrument {
  const kind = sketch.kind ?? 'share';
  return {
    ticker: sketch.ticker as Ticker,
    name: sketch.name ?? sketch.ticker,
    kind,
    market: sketch.market ?? 'BYMA',
    currency: sketch.currency ?? 'ARS',
    decimals: sketch.decimals ?? instrumentKinds[kind].decimals,
    changeUnit: instrumentKinds[kind].changeUnit,
    pricePer: sketch.pricePer ?? instrumentKinds[kind].pricePer,
    position,
    ...(sketch.ratio === undefined ? {} : { ratio: sketch.ratio }),
    ...(sketch.underlying === undefined ? {} : { underlying: sketch.underlying }),
    ...(sketch.maturity === undefined ? {} : { maturity: sketch.maturity as PlainDate }),
    ...(sketch.issuer === undefined ? {} : { issuer: sketch.issuer }),
    ...dollarClassOf(sketch),
  };
}

function dollarClassOf({ dollarClass }: InstrumentSketch): Pick<Instrument, 'dollarClass'> {
  if (dollarClass === undefined) return {};
  const [base, paid] = dollarClass;
  return { dollarClass: { base: base as Ticker, paid } };
}
