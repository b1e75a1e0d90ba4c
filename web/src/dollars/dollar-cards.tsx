import type { DollarRow } from '../market/api/quote.ts';
import { wayOf, absent, formatChange } from '../market/format/numbers.ts';
import { freshnessOf } from '../market/freshness.ts';
import { markets } from '../market/health-watch.ts';
import { changeUnitOf, instruments } from '../market/instruments.ts';
import type { LiveQuotes } from '../market/live-quotes.ts';
import { PathDrawing } from '../market/figures/path-drawing.tsx';
import { ageClass, gapOf, noteOf, priceOf, TickerLink, timeOf } from './dollar-cells.tsx';
import { rowName, type DollarCard } from './dollar-groups.ts';

/** Dollars as cards: the price, its change and path in the session, the orders, the gap, the time and the source. */
export function DollarCards({
  cards,
  live,
}: {
  readonly cards: readonly DollarCard[];
  readonly live: LiveQuotes | undefined;
}) {
  return (
    <ul class="dollar-cards">
      {cards.map((card) => (
        <Card key={card.name} card={card} live={live} />
      ))}
    </ul>
  );
}

function Card({
  card: { name, row, ticker = '' },
  live,
}: {
  readonly card: DollarCard;
  readonly live: LiveQuotes | undefined;
}) {
  const quote = live?.quote(ticker).value;
  const info = instruments.value.get(ticker);
  const unit = changeUnitOf(info);
  const change = freshnessOf(quote) === 'earlier' ? null : (quote?.variacion ?? null);
  return (
    <li class={`dollar-card panel stack gap-1 ${ageClass(row)}`} data-row={rowName(row)}>
      <h3>
        {info === undefined ? <span>{name}</span> : <TickerLink ticker={ticker} text={name} />}{' '}
        <span class="figure-note">
          <Basis row={row} />
        </span>
      </h3>
      <p class="dollar-price" title={noteOf(row)}>
        {priceOf(row, 'ultimo')}
      </p>
      <p class="dollar-change row whole between">
        <span class={`change ${wayOf(change, unit)}`}>{formatChange(change, unit)}</span>
        {live !== undefined && (
          <PathDrawing ticker={ticker} day={quote?.fecha} previous={quote?.anterior} live={live} />
        )}
      </p>
      <dl>
        <Figure name="Compra" value={priceOf(row, 'compra')} note={noteOf(row, 'compra')} />
        <Figure name="Venta" value={priceOf(row, 'venta')} note={noteOf(row, 'venta')} />
        {row.dolar !== 'canje' && (
          <Figure name="Brecha" value={gapOf(row)} note={noteOf(row, 'brecha')} />
        )}
        <Figure name="Hora" value={timeOf(row)} note={noteOf(row, 'hora')} />
      </dl>
    </li>
  );
}

function Figure({
  name,
  value,
  note,
}: {
  readonly name: string;
  readonly value: string;
  readonly note: string | undefined;
}) {
  return (
    <div class="row between">
      <dt class="muted">{name}</dt>
      <dd title={note}>{value}</dd>
    </div>
  );
}

/** Where a dollar comes from: its market, or the instruments whose quotient it is. */
function Basis({
  row: { dolar, base, calculo, numerador, denominador },
}: {
  readonly row: DollarRow;
}) {
  if (calculo === 'mediana') return <>mediana de los CEDEARs</>;
  if (dolar === 'canje') return <>CCL contra MEP de {base}</>;
  if (denominador === null) return <span title={markets.value.get(base)?.nombre}>{base}</span>;
  return (
    <>
      <TickerLink ticker={numerador ?? absent} /> ÷ <TickerLink ticker={denominador} />
    </>
  );
}
