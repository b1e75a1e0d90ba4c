import { useSignal } from '@preact/signals';

import { decimalsOf } from '../market/columns.ts';
import { formatPrice } from '../market/format/numbers.ts';
import { parsePrice } from '../market/format/parse-price.ts';
import { canonicalTicker } from '../market/canonical-ticker.ts';
import { InstrumentOptions } from '../market/instrument-options.tsx';
import { instruments } from '../market/instruments.ts';
import { useLiveQuotes } from '../market/use-live-quotes.ts';
import { alertsMax } from './price-alert.ts';
import type { AlertWay } from './price-alert.ts';
import { addAlert } from './stored-alerts.ts';

const wayNames: Readonly<Record<AlertWay, string>> = {
  sube: 'sube hasta',
  baja: 'baja hasta',
};

/** Creates an alert. Until the user chooses a direction, it is that from the last price. */
export function AlertForm({
  ticker: initial,
  apiKey,
}: {
  readonly ticker: string;
  readonly apiKey: string;
}) {
  const typed = useSignal(initial);
  const text = useSignal('');
  const chosenWay = useSignal<AlertWay | undefined>(undefined);
  const message = useSignal('');
  const ticker = canonicalTicker(typed.value);
  const isKnown = instruments.value.has(ticker);
  const quote = useLastQuote(isKnown ? ticker : undefined, apiKey);
  const price = parsePrice(text.value);
  const way = chosenWay.value ?? wayTo(price, quote?.ultimo);
  const submit = (event: Event) => {
    event.preventDefault();
    message.value = problemOf(ticker, isKnown, price) ?? '';
    if (message.value !== '' || price === undefined) return;
    message.value = addAlert({ ticker, way, price })
      ? `Alerta creada: ${ticker} ${wayNames[way]} ${formatPrice(price)}.`
      : `Ya hay ${alertsMax} alertas, la cantidad máxima.`;
    text.value = '';
    chosenWay.value = undefined;
  };
  return (
    <form class="card alert-form" onSubmit={submit}>
      <div class="field">
        <label for="alert-ticker">Especie</label>
        <input
          id="alert-ticker"
          class="input"
          list="especies"
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            message.value = '';
          }}
        />
        <InstrumentOptions />
        <span class="hint">
          {quote === undefined ? '' : `Último: ${formatPrice(quote.ultimo, decimalsOf(quote))}`}
        </span>
      </div>
      <div class="field">
        <label for="alert-way">Condición</label>
        <select
          id="alert-way"
          class="input"
          value={way}
          onChange={(event) => {
            chosenWay.value = event.currentTarget.value === 'baja' ? 'baja' : 'sube';
          }}
        >
          {(['sube', 'baja'] as const).map((one) => (
            <option key={one} value={one}>
              {wayNames[one]}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="alert-price">Precio</label>
        <input
          id="alert-price"
          class="input"
          inputMode="decimal"
          autocomplete="off"
          placeholder="7.500,50"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            message.value = '';
          }}
        />
        <span class="hint">{price === undefined ? '' : `Se lee ${formatPrice(price)}`}</span>
      </div>
      <button type="submit" class="button button-primary">
        Crear alerta
      </button>
      <p class="alert-message" role="status">
        {message.value}
      </p>
    </form>
  );
}

/** The way from the last price to the price of the alert. */
function wayTo(price: number | undefined, last: number | undefined): AlertWay {
  return price !== undefined && last !== undefined && price < last ? 'baja' : 'sube';
}

function problemOf(ticker: string, isKnown: boolean, price: number | undefined) {
  if (ticker.trim() === '') return 'Falta la especie.';
  if (!isKnown) return `La especie «${ticker}» no existe.`;
  if (price === undefined) return 'El precio no es un número. Ejemplo: 7.500,50';
  const kind = instruments.value.get(ticker)?.tipo;
  return price <= 0 && kind !== 'brecha' && kind !== 'tasa'
    ? 'El precio tiene que ser mayor que cero.'
    : undefined;
}

/** The live quote of an instrument. Without one, the hook follows nothing. */
function useLastQuote(ticker: string | undefined, apiKey: string) {
  const live = useLiveQuotes(ticker === undefined ? undefined : { tickers: [ticker] }, apiKey);
  void live?.tickers.value;
  return ticker === undefined ? undefined : live?.quote(ticker)?.value;
}
