import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { useBonds } from '../market/bonds/use-bonds.ts';
import { decimalsOf } from '../market/columns.ts';
import { formatChange, formatPrice } from '../market/format/numbers.ts';
import { canonicalTicker } from '../market/canonical-ticker.ts';
import { InstrumentOptions } from '../market/instrument-options.tsx';
import { instruments } from '../market/instruments.ts';
import type { InstrumentInfo, Quote } from '../market/api/quote.ts';
import { useLiveQuotes } from '../market/use-live-quotes.ts';
import { Select } from '../ui/select.tsx';
import {
  alertKinds,
  alertWays,
  isInPercent,
  valueOf,
  type Alert,
  type AlertKind,
  type AlertWay,
} from '../market/alerts/alert.ts';
import {
  exampleOf,
  levelFrom,
  neverHas,
  readDraft,
  readLevel,
  wayOf,
  type DraftField,
} from './alert-draft.ts';
import {
  createdText,
  formatLevel,
  formatValue,
  alertsFullText,
  kindName,
  levelText,
  wayNames,
} from '../market/alerts/alert-texts.ts';
import { addAlert, changeAlert } from '../market/alerts/stored-alerts.ts';

/** The label of the level, where it says more than the name of what is watched. */
const labels: Readonly<Partial<Record<AlertKind, string>>> = {
  variacion: 'Variación',
  volumen: 'Volumen nominal',
  spread: 'Spread, en % del precio medio',
  tir: 'TIR, en %',
};

/** Distances from the last price that are offered, in percent. */
const steps = [-5, -2, 2, 5];

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
  const entered = useSignal(edited && levelText(edited));
  const message = useSignal('');
  const wrong = useSignal<DraftField | undefined>(undefined);
  const ticker = canonicalTicker(typed.value);
  const info = instruments.value.get(ticker);
  const { quote, current } = useCurrentValue(info && ticker, kind.value, apiKey);
  const suggestion = useSuggestion(ticker, kind.value === 'precio' ? current : undefined);
  const text = entered.value ?? suggestion;
  const draft = { ticker, info, kind: kind.value, way: chosenWay.value, text, current };
  const read = readLevel(draft);
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
    if (!addAlert(condition)) return say(alertsFullText);
    entered.value = undefined;
    chosenWay.value = undefined;
    say(createdText(condition, info));
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
        <span class="hint">{nowText(kind.value, quote, current, info)}</span>
      </div>
      <div class="field">
        <label for="alert-kind">Qué vigilar</label>
        <Select
          id="alert-kind"
          {...mark('kind')}
          choices={alertKinds.map((value) => ({ value, name: kindName(value, info) }))}
          chosen={kind.value}
          onChoose={(chosen) => {
            kind.value = chosen;
            chosenWay.value = undefined;
            entered.value = undefined;
            say('');
          }}
        />
      </div>
      <div class="field">
        <label for="alert-way">Condición</label>
        <Select
          id="alert-way"
          disabled={kind.value === 'volumen'}
          choices={alertWays.map((value) => ({ value, name: wayNames[value] }))}
          chosen={wayOf(draft)}
          onChoose={(chosen) => {
            chosenWay.value = chosen;
          }}
        />
      </div>
      <div class="field">
        <label for="alert-level">{labels[kind.value] ?? kindName(kind.value, info)}</label>
        <input
          id="alert-level"
          class="input"
          // The keyboards of phones for decimals have no signs.
          inputMode={kind.value === 'volumen' || kind.value === 'spread' ? 'decimal' : 'text'}
          autocomplete="off"
          placeholder={exampleOf(kind.value, info)}
          value={text}
          {...mark('level')}
          onInput={(event) => {
            entered.value = event.currentTarget.value;
            say('');
          }}
        />
        <span class="hint">
          {'level' in read ? `Se lee ${formatLevel(kind.value, read.level, info)}` : ''}
        </span>
      </div>
      {kind.value === 'precio' && !isInPercent(info) && (
        <div class="alert-steps" role="group" aria-label="Nivel en por ciento">
          {steps.map((percent) => (
            <button
              key={percent}
              type="button"
              class="button button-small"
              // They are there before the price is, so that nothing moves when it arrives.
              disabled={current === undefined}
              onClick={() => {
                if (current === undefined) return;
                entered.value = levelText({
                  kind: 'precio',
                  level: levelFrom(current, percent, info),
                });
                chosenWay.value = undefined;
                say('');
              }}
            >
              {formatChange(percent, 'percent').replace(',00', '')}
            </button>
          ))}
          <span class="hint">desde el último precio; también se puede escribir, como +3,5 %</span>
        </div>
      )}
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
  info: InstrumentInfo | undefined,
): string {
  if (quote === undefined || neverHas(kind, info) !== undefined) return '';
  if (kind === 'precio') return `Último: ${formatPrice(quote.ultimo, decimalsOf(quote))}`;
  if (current !== undefined) return `Ahora: ${formatValue(kind, current, info)}`;
  return kind === 'spread' ? 'Sin puntas de compra y de venta ahora' : 'Sin dato ahora';
}

/** The text that is offered as the level: the first price that is seen of an instrument. */
function useSuggestion(ticker: string, current: number | undefined): string {
  const offered = useRef<{ readonly of: string; readonly text: string } | undefined>(undefined);
  if (current !== undefined && offered.current?.of !== ticker) {
    offered.current = { of: ticker, text: levelText({ kind: 'precio', level: current }) };
  }
  const { of, text = '' } = offered.current ?? {};
  return of === ticker && current !== undefined ? text : '';
}

/** The live quote of an instrument, and the value that an alert would watch. Without an instrument, neither. */
function useCurrentValue(ticker: string | undefined, kind: AlertKind, apiKey: string) {
  const fields = kind === 'spread' ? (['compra', 'venta'] as const) : [];
  const live = useLiveQuotes(
    ticker === undefined ? undefined : { tickers: [ticker], fields },
    apiKey,
  );
  const hasYield = ticker !== undefined && kind === 'tir';
  const bonds = useBonds(hasYield ? `especie=${encodeURIComponent(ticker)}` : undefined, apiKey);
  void live?.tickers.value;
  const quote = ticker === undefined ? undefined : live?.quote(ticker)?.value;
  const tir = ticker === undefined ? null : (bonds.value?.get(ticker)?.tir ?? null);
  return { quote, current: quote && valueOf(kind, { ...quote, tir }) };
}
