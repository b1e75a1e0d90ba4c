import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { levelAt, type Condition } from '../market/alerts/alert.ts';
import { createdText, alertsFullText } from '../market/alerts/alert-texts.ts';
import { addAlert, alerts } from '../market/alerts/stored-alerts.ts';
import type { Level } from '../chart/drawing/chart-content.ts';
import type { Quote } from '../market/api/quote.ts';
import { canonicalTicker, instruments } from '../market/instruments.ts';
import { formatPrice } from '../market/format/numbers.ts';
import { levels, levelsMax } from '../market/stored-levels.ts';
import type { InstrumentPlace } from '../places/route.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { BellIcon } from '../ui/icons.tsx';

/** Whether a chart can have levels: the prices of one instrument as they are traded. */
export function canHaveLevels({ compared, currency }: InstrumentPlace): boolean {
  return compared.length === 0 && currency === 'original';
}

/** The levels of the chart of a place: those that the user marked, and those of the alerts on its price. */
export function useLevels(place: InstrumentPlace): readonly Level[] {
  const { ticker } = place;
  const marked = levels.value[ticker];
  const all = alerts.value;
  const isShown = canHaveLevels(place);
  return useMemo(() => {
    if (!isShown) return [];
    const watched = all.filter(
      (one) => one.kind === 'precio' && canonicalTicker(one.ticker) === ticker,
    );
    return [
      ...(marked ?? []).map((price) => ({ price, isAlert: false })),
      ...watched.map(({ level }) => ({ price: level, isAlert: true })),
    ];
  }, [ticker, marked, all, isShown]);
}

/** Marks a price of the chart, with the decimals of the instrument. */
export function markLevel(ticker: string, price: number): void {
  const rounded = levelAt(price, instruments.value.get(ticker));
  const known = levels.value[ticker] ?? [];
  if (known.includes(rounded)) return;
  levels.value = { ...levels.value, [ticker]: [...known, rounded].slice(-levelsMax) };
}

function removeLevel(ticker: string, price: number): void {
  const left = (levels.value[ticker] ?? []).filter((one) => one !== price);
  const { [ticker]: _, ...others } = levels.value;
  levels.value = left.length === 0 ? others : { ...others, [ticker]: left };
}

/** The levels that the user marked on a chart. Each becomes an alert with one click. */
export function LevelList({
  place,
  quote,
}: {
  readonly place: InstrumentPlace;
  readonly quote: Quote | undefined;
}) {
  const { ticker } = place;
  const message = useSignal('');
  const marked = canHaveLevels(place) ? (levels.value[ticker] ?? []) : [];
  const create = (level: number) => {
    const way = quote !== undefined && level < quote.ultimo ? 'baja' : 'sube';
    const condition: Condition = { ticker, kind: 'precio', way, level };
    if (!addAlert(condition)) {
      message.value = alertsFullText;
      return;
    }
    removeLevel(ticker, level);
    message.value = createdText(condition, instruments.value.get(ticker));
  };
  if (marked.length === 0 && message.value === '') return null;
  return (
    <div class="levels row" role="group" aria-label="Niveles del gráfico">
      {marked.map((price) => (
        <Chip
          key={price}
          text={formatPrice(price)}
          removal={`Quitar el nivel ${formatPrice(price)}`}
          onRemove={() => removeLevel(ticker, price)}
        >
          <Button
            look="icon"
            aria-label={`Crear una alerta en ${formatPrice(price)}`}
            title="Crear una alerta"
            onClick={() => create(price)}
          >
            <BellIcon />
          </Button>
        </Chip>
      ))}
      <span class="hint" role="status">
        {message.value}
      </span>
    </div>
  );
}
