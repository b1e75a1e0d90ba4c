import { useEffect } from 'preact/hooks';

import { usableKey } from '../key/api-key.ts';
import { BrokenLine } from '../market/broken-line.tsx';
import { KeyNeeded } from '../key/key-needed.tsx';
import { useBonds, type Bonds } from '../market/rows/use-rows.ts';
import type { Quote } from '../market/api/quote.ts';
import { detailFields } from '../market/detail-fields.ts';
import { bondQuery } from '../market/facts/conventions.ts';
import {
  bookFigures,
  QuoteFigures,
  InstrumentLine,
  LastPrice,
  type Figure,
} from '../market/figures/quote-figures.tsx';
import { ListMenu } from '../market/lists/list-menu.tsx';
import {
  canonicalTicker,
  canonicalTickers,
  allInstruments,
  instruments,
} from '../market/instruments.ts';
import { isBond } from '../market/facts/instrument-facts.ts';
import { rememberVisit } from '../market/search/visits.ts';
import { formatRoute, instrumentRoute, type InstrumentPlace } from '../places/route.ts';
import { BackIcon, BellIcon } from '../ui/icons.tsx';
import { boardAddress, goBackToBoard, replaceRoute } from '../places/location.ts';
import { lazy } from '../ui/lazy.tsx';
import { usePageTitle } from '../ui/use-page-title.ts';
import { HistorySection } from './history-section.tsx';
import { isSmall } from '../ui/screen-size.ts';
import { conventionOf } from '../places/bond-convention.ts';
import { formatChange, formatFixed, formatPercent, unitNameOf } from '../market/format/numbers.ts';
import { Siblings } from './siblings.tsx';
import { ReceiptFigures } from './receipt-figures.tsx';
import { followedTickers } from '../chart/series/use-chart-series.ts';
import { useQuotes } from '../chart/series/use-quotes.ts';
import styles from '../styles/instrument.css?inline';
import { addStyles } from '../ui/screen/add-styles.ts';
import { quoteTexts } from '../market/figures/quote-texts.ts';
import { findInstruments } from '../market/search/find-instruments.ts';

addStyles(styles);

// Few instruments are bonds.
const BondSection = lazy(async () => (await import('./bond/bond-section.tsx')).BondSection);

/** One instrument: its quote in real time, a chart of its closes, their statistics, and what a bond has beside them. */
export function InstrumentPage({ place: asked }: { readonly place: InstrumentPlace }) {
  const key = usableKey.value;
  const place = canonicalPlace(asked);
  const address = formatRoute(place);
  useEffect(() => {
    if (address !== formatRoute(asked)) replaceRoute(place);
  }, [address]);
  const { value: known } = instruments;
  // Until the list is loaded, every ticker may exist.
  const isKnown = known.has(place.ticker);
  const isUnknown = allInstruments.value.size > 0 && !isKnown;
  useEffect(() => {
    if (isKnown) rememberVisit(place.ticker);
  }, [isKnown, place.ticker]);
  return (
    <div class="instrument-page page stack gap-7">
      <div class="screen-only row whole between">
        <a class="button button-small" href={boardAddress()} onClick={goBack}>
          <BackIcon />
          <span class="roomy-only">Volver a la pizarra</span>
        </a>
        {key !== undefined && isKnown && <Siblings ticker={place.ticker} />}
        {!isUnknown && (
          <span class="row">
            <ListMenu ticker={place.ticker} />
            <a
              class="button button-small"
              href={formatRoute({ page: 'alerts', ticker: place.ticker })}
            >
              <BellIcon />
              <span class="roomy-only">Crear alerta</span>
            </a>
          </span>
        )}
      </div>
      {key === undefined ? (
        <LockedInstrument ticker={place.ticker} />
      ) : isUnknown ? (
        <UnknownInstrument ticker={place.ticker} />
      ) : (
        <LiveInstrument place={place} />
      )}
    </div>
  );
}

function LiveInstrument({ place }: { readonly place: InstrumentPlace }) {
  const { quotes, isLoaded } = useQuotes(followedTickers(place), detailFields);
  const [own] = quotes;
  const info = instruments.value.get(place.ticker);
  const query = bondQuery(`especie=${encodeURIComponent(place.ticker)}`, conventionOf(place));
  const bonds = useBonds(isBond(info) ? query : undefined);
  const figures = (
    <QuoteFigures
      quote={own}
      more={[...bookFigures(own), ...(isBond(info) ? bondFacts(bonds, place.ticker) : [])]}
    />
  );
  return (
    <>
      <BrokenLine isEmpty={own === undefined} />
      <QuoteHeader ticker={place.ticker} quote={quotes[0]} isLoaded={isLoaded} />
      {!isSmall.value && figures}
      <HistorySection place={place} quotes={quotes}>
        {isSmall.value && figures}
        {isBond(info) && (
          <div class="bond-room">
            <BondSection place={place} bonds={bonds} />
          </div>
        )}
        {info?.tipo === 'cedear' && info.ratio !== undefined && <ReceiptFigures info={info} />}
      </HistorySection>
    </>
  );
}

/** The figures of a bond that are looked at most. */
function bondFacts({ value }: Bonds, ticker: string): readonly Figure[] {
  const { tir, durationModificada, paridad } = value?.get(ticker) ?? {};
  return [
    ['TIR', formatPercent(tir)],
    ['Dur. mod.', formatFixed(durationModificada, 2)],
    ['Paridad', formatPercent(paridad)],
  ];
}

/**
 * The place with its tickers in the spelling of the universe, which is that of all responses. An
 * address may have another one.
 */
function canonicalPlace(place: InstrumentPlace): InstrumentPlace {
  const ticker = canonicalTicker(place.ticker);
  const compared = canonicalTickers(place.compared).filter((one) => one !== ticker);
  return { ...place, ticker, compared };
}

function LockedInstrument({ ticker }: { readonly ticker: string }) {
  usePageTitle(ticker);
  return (
    <>
      <h1>{ticker}</h1>
      <KeyNeeded />
    </>
  );
}

/** Goes back in the history if that leads to the board, so that it is as it was left. */
function goBack(event: Event): void {
  if (goBackToBoard()) event.preventDefault();
}

/** The quote of one instrument, in real time. */
function QuoteHeader({
  ticker,
  quote,
  isLoaded,
}: {
  readonly ticker: string;
  readonly quote: Quote | undefined;
  /** Whether the service has sent the quote, if there is one. */
  readonly isLoaded: boolean;
}) {
  usePageTitle(titleOf(ticker, quote));
  return (
    <header class="quote-header bar between">
      <div class="quote-title row whole">
        <h1>{ticker}</h1>
        <InstrumentLine ticker={ticker} unit={unitNameOf(instruments.value.get(ticker))} />
      </div>
      <LastPrice quote={quote} isLoaded={isLoaded} />
    </header>
  );
}

/** The ticker and its price, for the title of a background tab. */
function titleOf(ticker: string, quote: Quote | undefined): string {
  if (quote === undefined) return ticker;
  const { price, unit } = quoteTexts(ticker, quote);
  if (quote.variacion === null) return `${ticker} ${price}`;
  return `${ticker} ${price} ${formatChange(quote.variacion, unit)}`;
}

/** Maximum number of suggestions. */
const suggestionsMax = 5;

/** The page of a ticker that the service does not have, with those that may have been meant. */
function UnknownInstrument({ ticker }: { readonly ticker: string }) {
  usePageTitle(ticker);
  const { instruments: found } = findInstruments(ticker, allInstruments.value.values());
  const near = found.slice(0, suggestionsMax);
  return (
    <>
      <h1>{ticker}</h1>
      <p>La especie «{ticker}» no existe.</p>
      {near.length > 0 && (
        <section class="near stack" aria-labelledby="near-title">
          <h2 id="near-title">Especies parecidas</h2>
          <ul class="stack gap-3">
            {near.map(({ especie, nombre }) => (
              <li key={especie}>
                <a href={formatRoute(instrumentRoute(especie))}>{especie}</a> {nombre}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
