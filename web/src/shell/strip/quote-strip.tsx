import type { ReadonlySignal } from '@preact/signals';

import { usableKey } from '../../key/api-key.ts';
import type { Quote } from '../../market/api/quote.ts';
import { quoteTexts } from '../../market/figures/quote-texts.ts';
import { formatDay } from '../../market/format/numbers.ts';
import { isConnecting, isLost } from '../../market/connection.ts';
import { today } from '../../market/health-watch.ts';
import { instruments } from '../../market/instruments.ts';
import { useLiveQuotes } from '../../market/use-live-quotes.ts';
import type { Selection } from '../../market/stream/joined-selection.ts';
import { formatRoute, instrumentRoute } from '../../places/route.ts';
import { Button } from '../../ui/button.tsx';
import { EditIcon } from '../../ui/icons.tsx';
import { isStripEdited } from '../../places/dialogs.ts';
import { strip } from './stored-strip.ts';
import { stripDay, stripName } from './strip-choice.ts';

/** The instruments that a person keeps in view on every page, in one line. */
export function QuoteStrip() {
  if (usableKey.value === undefined || !strip.value.isShown) return null;
  return <LiveStrip />;
}

/** What the strip follows. Undefined for one that is hidden or empty. */
export function stripSelection(): Selection | undefined {
  const { tickers, isShown } = strip.value;
  // The order of the request does not matter, so that the strip can be reordered without another one.
  return isShown && tickers.length > 0 ? { tickers: tickers.toSorted() } : undefined;
}

function LiveStrip() {
  const { tickers } = strip.value;
  const known = instruments.value;
  // Until the list is loaded, every ticker may exist.
  const shown = tickers.filter((ticker) => known.size === 0 || known.has(ticker));
  const live = useLiveQuotes(stripSelection(), { isBeside: true });
  return (
    <nav
      class={
        isConnecting.value && !isLost.value
          ? 'strip screen-only on-bar scroller is-connecting'
          : 'strip screen-only on-bar scroller'
      }
      aria-label="Tira de cotizaciones"
    >
      <ul class="strip-list">
        {shown.map((ticker) => (
          <StripItem key={ticker} ticker={ticker} quote={live?.quote(ticker)} />
        ))}
        <li>
          <Button
            look="icon"
            aria-haspopup="dialog"
            aria-label="Editar la tira"
            title="Editar la tira"
            onClick={() => (isStripEdited.value = true)}
          >
            <EditIcon />
          </Button>
        </li>
      </ul>
    </nav>
  );
}

function StripItem({
  ticker,
  quote: source,
}: {
  readonly ticker: string;
  readonly quote: ReadonlySignal<Quote | undefined> | undefined;
}) {
  const quote = source?.value;
  const { name = ticker, unit, freshness, price, change, way } = quoteTexts(ticker, quote);
  return (
    <li class={quote === undefined ? 'strip-missing' : undefined}>
      <a
        class={`strip-item plain row gap-3 whole ${quote === undefined ? '' : `is-${freshness}`}`}
        href={formatRoute(instrumentRoute(ticker))}
        title={titleOf(name, quote)}
      >
        <strong>{stripName(ticker)}</strong>
        <span>{price}</span>
        {quote === undefined ? null : freshness === 'earlier' ? (
          <time dateTime={quote.fecha}>{stripDay(quote.fecha, today.value)}</time>
        ) : (
          <span class={`change ${way}`}>
            {change}
            {unit === undefined && <span class="strip-unit">{percentSign}</span>}
          </span>
        )}
      </a>
    </li>
  );
}

/** Until the unit of a change is known, the usual one has its room, so that nothing moves. */
const percentSign = '\u00A0%';

/** The name and the moment of the price. */
function titleOf(name: string, quote: Quote | undefined): string {
  if (quote === undefined) return name;
  const time = quote.hora === undefined ? '' : `, ${quote.hora}`;
  return `${name} · ${formatDay(quote.fecha)}${time}`;
}
