import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { decimalsOf } from '../market/columns.ts';
import { formatChange, formatPrice } from '../market/format/numbers.ts';
import { canonicalTicker, instruments } from '../market/instruments.ts';
import { InstrumentOptions } from '../market/instrument-options.tsx';
import type { InstrumentInfo, Quote } from '../market/api/quote.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text-input.tsx';
import {
  alertKinds,
  alertWays,
  isInPercent,
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
  kindTexts,
  levelText,
  wayNames,
} from '../market/alerts/alert-texts.ts';
import { useCurrentValues } from './use-current-values.ts';
import { addAlert, changeAlert } from '../market/alerts/stored-alerts.ts';

/** Distances from the last price that are offered, in percent. */
const steps = [-5, -2, 2, 5];

/** Creates an alert, or changes one. */
export function AlertForm({
  ticker: initial,
  edited,
  onDone,
}: {
  readonly ticker: string;
  /** The alert to change. Undefined to create one. */
  readonly edited: Alert | undefined;
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
  const watched = { ticker, kind: kind.value };
  const valueNow = useCurrentValues(info === undefined ? [] : [watched]);
  const { quote, current } = valueNow(watched);
  const suggestion = useSuggestion(ticker, kind.value === 'precio' ? current : undefined);
  const text = entered.value ?? suggestion;
  const draft = { ticker, info, kind: kind.value, way: chosenWay.value, text, current };
  const read = readLevel(draft);
  const say = (said: string, field?: DraftField) => {
    message.value = said;
    wrong.value = field;
  };
  /** Sets the text of the level. The direction follows from it again. */
  const enter = (level: string | undefined) => {
    entered.value = level;
    chosenWay.value = undefined;
    say('');
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
    enter(undefined);
    say(createdText(condition, info));
  };
  const mark = (field: DraftField) => ({
    'aria-invalid': wrong.value === field,
    'aria-describedby': wrong.value === field ? 'alert-message' : undefined,
  });
  return (
    <form
      class="panel card alert-form screen-only stack gap-6"
      aria-label={edited === undefined ? 'Alerta nueva' : 'Cambiar la alerta'}
      onSubmit={submit}
    >
      <Field id="alert-ticker" label="Especie" hint={nowText(kind.value, quote, current, info)}>
        <TextInput
          id="alert-ticker"
          list="especies"
          spellcheck={false}
          value={typed.value}
          {...mark('ticker')}
          onType={(typedText) => {
            typed.value = typedText;
            say('');
          }}
        />
        <InstrumentOptions />
      </Field>
      <Field id="alert-kind" label="Qué vigilar">
        <Select
          id="alert-kind"
          {...mark('kind')}
          choices={alertKinds.map((value) => ({ value, name: kindName(value, info) }))}
          chosen={kind.value}
          onChoose={(chosen) => {
            kind.value = chosen;
            enter(undefined);
          }}
        />
      </Field>
      <Field id="alert-way" label="Condición">
        <Select
          id="alert-way"
          disabled={kind.value === 'volumen'}
          choices={alertWays.map((value) => ({ value, name: wayNames[value] }))}
          chosen={wayOf(draft)}
          onChoose={(chosen) => (chosenWay.value = chosen)}
        />
      </Field>
      <Field
        id="alert-level"
        label={kindTexts[kind.value].label ?? kindName(kind.value, info)}
        hint={'level' in read ? `Se lee ${formatLevel(kind.value, read.level, info)}` : ''}
      >
        <TextInput
          id="alert-level"
          // The keyboards of phones for decimals have no signs.
          inputMode={kind.value === 'volumen' || kind.value === 'spread' ? 'decimal' : 'text'}
          placeholder={exampleOf(kind.value, info)}
          value={text}
          {...mark('level')}
          onType={(typedText) => {
            entered.value = typedText;
            say('');
          }}
        />
      </Field>
      {kind.value === 'precio' && !isInPercent(info) && (
        <div class="row" role="group" aria-label="Nivel en por ciento">
          {steps.map((percent) => (
            <Button
              key={percent}
              look="small"
              // They are there before the price is, so that nothing moves when it arrives.
              disabled={current === undefined}
              onClick={() => {
                const level = levelFrom(current ?? 0, percent, info);
                enter(levelText({ kind: 'precio', level }));
              }}
            >
              {formatChange(percent, 'percent').replace(',00', '')}
            </Button>
          ))}
          <span class="hint">desde el último precio; también se puede escribir, como +3,5 %</span>
        </div>
      )}
      <p id="alert-message" class="alert-message strong" role="status">
        {message.value}
      </p>
      <div class="row">
        <Button type="submit" look="primary">
          {edited === undefined ? 'Crear alerta' : 'Guardar cambios'}
        </Button>
        {edited !== undefined && <Button onClick={onDone}>Cancelar</Button>}
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
