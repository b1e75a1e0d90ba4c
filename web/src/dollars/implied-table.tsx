import { computed, useSignal, type ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import type { DollarRow } from '../market/api/quote.ts';
import { absent, formatVolume } from '../market/format/numbers.ts';
import { isBond } from '../market/facts/instrument-facts.ts';
import { isConnecting } from '../market/connection.ts';
import { allInstruments, instruments } from '../market/instruments.ts';
import type { LiveQuotes } from '../market/live-quotes.ts';
import { useLiveQuotes } from '../market/use-live-quotes.ts';
import { Button } from '../ui/button.tsx';
import { SortedTable, type SortedColumn } from '../ui/table/sorted-table.tsx';
import { ageClass, gapColumn, latestOf, priceColumn, TickerLink, timeOf } from './dollar-cells.tsx';
import { bestOrders, impliedDollars, type ImpliedDollars } from './dollar-groups.ts';

/** How many securities the table begins with. */
const firstCount = 5;

/** MEP, CCL and canje of each security that is traded in pesos and in dollars: the most traded bonds first. */
export function ImpliedTable({ rows }: { readonly rows: readonly DollarRow[] }) {
  const isWhole = useSignal(false);
  const implied = rows.filter(({ calculo }) => calculo === 'implicito');
  const tickers = [...new Set(implied.map(({ base }) => base))].toSorted();
  const live = useLiveQuotes(tickers.length === 0 ? undefined : { tickers, fields: ['monto'] }, {
    isBeside: true,
  });
  const isOrdered = useMemo(() => hasOrder(live, tickers), [live]).value;
  void live?.moment.value;
  const securities = impliedDollars(implied, {
    amountOf: (ticker) => live?.quote(ticker).peek()?.monto,
    isBond: (ticker) => isBond(instruments.value.get(ticker)),
  });
  const shown = isWhole.value ? securities : securities.slice(0, firstCount);
  return (
    <section class="stack">
      <h2>MEP, CCL y canje por especie</h2>
      <p class="hint">
        MEP es el precio en pesos dividido por el de la especie D, y CCL por el de la especie C. El
        canje es lo que cuesta pasar dólares MEP a cable. Con ★, la venta más baja de las que se
        ven, que es la mejor para comprar dólares, y la compra más alta, para venderlos.
      </p>
      {securities.length === 0 ? (
        <p class="muted">
          Sin dólares implícitos: ninguna especie cotizó en pesos y en dólares en la misma rueda.
        </p>
      ) : (
        <div class={isOrdered ? 'implied stack' : 'implied stack is-waiting'}>
          <SortedTable
            label="MEP, CCL y canje por especie"
            columns={columnsOf(shown)}
            rows={shown}
            nameOf={({ base }) => base}
          />
          {securities.length > firstCount && (
            <Button
              look="small"
              aria-expanded={isWhole.value}
              onClick={() => (isWhole.value = !isWhole.value)}
            >
              {isWhole.value
                ? `Ver las ${firstCount} más operadas`
                : `Ver las ${securities.length} especies`}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

/** Whether the amounts and kinds that give the order are known, or do not come. Before, the rows would change places. */
function hasOrder(
  live: LiveQuotes | undefined,
  tickers: readonly string[],
): ReadonlySignal<boolean> {
  return computed(() => {
    if (live === undefined) return false;
    const isLate = live.moment.value > 0 && !isConnecting.value;
    const hasAmounts = tickers.some((ticker) => live.quote(ticker).value !== undefined);
    return isLate || (hasAmounts && allInstruments.value.size > 0);
  });
}

function isCurrent(row: DollarRow): boolean {
  return ageClass(row) === 'is-current';
}

function columnsOf(securities: readonly ImpliedDollars[]): readonly SortedColumn<ImpliedDollars>[] {
  const dollar = (
    name: string,
    rowOf: (security: ImpliedDollars) => DollarRow | undefined,
    reason: string,
  ) => {
    const { toBuy, toSell } = bestOrders(securities.map(rowOf), isCurrent);
    const to = { buy: 'mejor para comprar', sell: 'mejor para vender' };
    const own = { rowOf, reason };
    return [
      priceColumn(`${name} compra`, 'compra', { ...own, best: { row: toSell, use: to.sell } }),
      priceColumn(`${name} venta`, 'venta', { ...own, best: { row: toBuy, use: to.buy } }),
      priceColumn(name, 'ultimo', own),
      gapColumn(`Brecha ${name}`, rowOf),
    ];
  };
  return [
    {
      title: 'Especie',
      value: ({ base }) => base,
      cell: ({ base }) => (
        <th scope="row">
          <TickerLink ticker={base} />
        </th>
      ),
    },
    ...dollar('MEP', ({ mep }) => mep, 'Sin precio de la especie D en la misma rueda'),
    ...dollar('CCL', ({ ccl }) => ccl, 'Sin precio de la especie C en la misma rueda'),
    priceColumn('Canje', 'ultimo', {
      rowOf: ({ canje }) => canje,
      reason: 'Hacen falta las especies D y C',
    }),
    {
      title: 'Monto',
      meaning: 'Monto operado en pesos',
      value: ({ amount }) => amount,
      cell: ({ amount }) => <td>{formatVolume(amount)}</td>,
    },
    {
      title: 'Hora',
      value: (security) => timeText(security),
      cell: (security) => <td class="muted">{timeText(security)}</td>,
    },
  ];
}

function timeText({ mep, ccl, canje }: ImpliedDollars): string {
  const latest = latestOf([mep, ccl, canje]);
  return latest === undefined ? absent : timeOf(latest);
}
