import { useSignal } from '@preact/signals';

import { decimalsOf } from '../market/columns.ts';
import { formatPrice } from '../market/format/numbers.ts';
import { canonicalTicker } from '../market/canonical-ticker.ts';
import { InstrumentOptions } from '../market/instrument-options.tsx';
import { changeUnitOf, instruments } from '../market/instruments.ts';
import type { Quote } from '../market/api/quote.ts';
import { useLiveQuotes } from '../market/use-live-quotes.ts';
import {
  alertKinds,
  alertsMax,
  alertWays,
  valueOf,
  type Alert,
  type AlertKind,
  type AlertWay,
} from './alert.ts';
import { readDraft, wayOf, type DraftField } from './alert-draft.ts';
import { exampleOf, readLevel } from './alert-level.ts';
import {
  conditionText,
  formatLevel,
  formatValue,
  kindNames,
  levelText,
  wayNames,
} from './alert-texts.ts';
import { addAlert, changeAlert } from './stored-alerts.ts';

const labels: Readonly<Record<AlertKind, string>> = {
  precio: 'Precio',
  variacion: 'Variación',
  volumen: 'Volumen nominal',
  spread: 'Spread, en % del precio medio',
};

/** Creates an alert, or changes one. */
export function AlertForm({
  ticker: initial,
  edited,
  apiKey,
  onDone,
}: {
  readonly ticker: string;
  /** The alert to change. Undefined to create one. */
  readonly edited: Alert | undefined;
  readonly apiKey: string;
  /** Called when the change of an alert has been stored or given up. */
  readonly onDone: () => void;
}) {
  const typed = useSignal(edited?.ticker ?? initial);
  const kind = useSignal<AlertKind>(edited?.kind ?? 'precio');
  const chosenWay = useSignal<AlertWay | undefined>(edited?.way);
  const text = useSignal(edited === undefined ? '' : levelText(edited));
  const message = useSignal('');
  const wrong = useSignal<DraftField | undefined>(undefined);
  const ticker = canonicalTicker(typed.value);
  const info = instruments.value.get(ticker);
  const unit = changeUnitOf(info);
  const quote = useLastQuote(info && ticker, kind.value === 'spread', apiKey);
  const current = quote && valueOf(kind.value, quote);
  const draft = {
    ticker,
    info,
    kind: kind.value,
    way: chosenWay.value,
    text: text.value,
    current,
  };
  const read = readLevel(kind.value, text.value, info);
  const say = (said: string, field?: DraftField) => {
    message.value = said;
    wrong.value = field;
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const result = readDraft(draft);
    if ('problem' in result) return say(result.problem, result.field);
    const { condition } = result;
    if (edited !== undefined) {
      changeAlert(edited.id, condition);
      return onDone();
    }
    if (!addAlert(condition)) return say(`Ya hay ${alertsMax} alertas, la cantidad máxima.`);
    text.value = '';
    chosenWay.value = undefined;
    say(`Alerta creada: ${conditionText(condition, unit)}.`);
  };
  const mark = (field: DraftField) => ({
    'aria-invalid': wrong.value === field,
    'aria-describedby': wrong.value === field ? 'alert-message' : undefined,
  });
  return (
    <form
      class="card alert-form"
      aria-label={edited === undefined ? 'Alerta nueva' : 'Cambiar la alerta'}
      onSubmit={submit}
    >
      <div class="field">
        <label for="alert-ticker">Especie</label>
        <input
          id="alert-ticker"
          class="input"
          list="especies"
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          {...mark('ticker')}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            say('');
          }}
        />
        <InstrumentOptions />
        <span class="hint">{nowText(kind.value, quote, current, unit)}</span>
      </div>
      <div class="field">
        <label for="alert-kind">Qué vigilar</label>
        <select
          id="alert-kind"
          class="input"
          value={kind.value}
          {...mark('kind')}
          onChange={(event) => {
            kind.value = alertKinds.find((one) => one === event.currentTarget.value) ?? 'precio';
            chosenWay.value = undefined;
            say('');
          }}
        >
          {alertKinds.map((one) => (
            <option key={one} value={one}>
              {kindNames[one]}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="alert-way">Condición</label>
        <select
          id="alert-way"
          class="input"
          value={wayOf(draft)}
          disabled={kind.value === 'volumen'}
          onChange={(event) => {
            chosenWay.value = alertWays.find((one) => one === event.currentTarget.value);
          }}
        >
          {alertWays.map((one) => (
            <option key={one} value={one}>
              {wayNames[one]}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="alert-level">{labels[kind.value]}</label>
        <input
          id="alert-level"
          class="input"
          // The keyboards of phones for decimals have no signs.
          inputMode={kind.value === 'variacion' ? 'text' : 'decimal'}
          autocomplete="off"
          placeholder={exampleOf(kind.value, info)}
          value={text.value}
          {...mark('level')}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            say('');
          }}
        />
        <span class="hint">
          {'level' in read ? `Se lee ${formatLevel(kind.value, read.level, unit)}` : ''}
        </span>
      </div>
      <p id="alert-message" class="alert-message" role="status">
        {message.value}
      </p>
      <div class="alert-buttons">
        <button type="submit" class="button button-primary">
          {edited === undefined ? 'Crear alerta' : 'Guardar cambios'}
        </button>
        {edited !== undefined && (
          <button type="button" class="button" onClick={onDone}>
            Cancelar
          </button>
        )}
      </div>
    </form>
  );
}

/** The value that the instrument has now. */
function nowText(
  kind: AlertKind,
  quote: Quote | undefined,
  current: number | undefined,
  unit: ReturnType<typeof changeUnitOf>,
): string {
  if (quote === undefined) return '';
  if (kind === 'precio') return `Último: ${formatPrice(quote.ultimo, decimalsOf(quote))}`;
  if (current !== undefined) return `Ahora: ${formatValue(kind, current, unit)}`;
  return kind === 'spread' ? 'Sin puntas de compra y de venta ahora' : 'Sin dato ahora';
}

/** The live quote of an instrument. Without one, the hook follows nothing. */
function useLastQuote(ticker: string | undefined, hasBook: boolean, apiKey: string) {
  const fields = hasBook ? (['compra', 'venta'] as const) : [];
  const live = useLiveQuotes(
    ticker === undefined ? undefined : { tickers: [ticker], fields },
    apiKey,
  );
  void live?.tickers.value;
  return ticker === undefined ? undefined : live?.quote(ticker)?.value;
}
