import { usableKey } from '../key/api-key.ts';
import { KeyNeeded } from '../key/key-needed.tsx';
import { BackIcon } from '../shell/icons.tsx';
import type { Route } from '../route.ts';
import { usePageTitle } from '../shell/use-page-title.ts';
import { BrokenLine } from '../board/broken-line.tsx';
import { HistorySection } from './history-section.tsx';
import { QuoteHeader } from './quote-header.tsx';

/** The route of one instrument. */
export type InstrumentPlace = Extract<Route, { readonly page: 'instrument' }>;

/** One instrument: its quote in real time, a chart of its closes, and their statistics. */
export function InstrumentPage({ place }: { readonly place: InstrumentPlace }) {
  const key = usableKey.value;
  return (
    <div class="instrument-page">
      <p class="back">
        <a href="#/" onClick={goBack}>
          <BackIcon />
          Volver a la pizarra
        </a>
      </p>
      {key === undefined ? (
        <LockedInstrument ticker={place.ticker} />
      ) : (
        <>
          <BrokenLine />
          <QuoteHeader key={place.ticker} ticker={place.ticker} apiKey={key} />
          <HistorySection place={place} apiKey={key} />
        </>
      )}
    </div>
  );
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

/** Goes back to the previous page of the history, if there is one. */
function goBack(event: Event): void {
  if (history.length <= 1) return;
  event.preventDefault();
  history.back();
}
