import styles from '../../styles/views.css?inline';
import type { InstrumentInfo } from '../../market/api/quote.ts';
import { NotStored } from '../../market/broken-line.tsx';
import { isLost } from '../../market/connection.ts';
import { quoteTexts } from '../../market/figures/quote-texts.ts';
import { formatCompact, formatVolume } from '../../market/format/numbers.ts';
import { freshnessOf } from '../../market/freshness.ts';
import { allInstruments, changeUnitOf, instruments } from '../../market/instruments.ts';
import type { LiveQuotes, Row } from '../../market/live-quotes.ts';
import { PathDrawing } from '../../market/figures/path-drawing.tsx';
import { parseSorting } from '../../places/route.ts';
import { instrumentAddress } from '../state/board-state.ts';
import { addStyles } from '../../ui/screen/add-styles.ts';
import { FramedTable, type Column } from '../../ui/table/framed-table.tsx';
import { EmptyBoard } from '../state/empty-board.tsx';
import { useBoard } from '../state/board-context.ts';
import { sortRows } from '../../market/sort-rows.ts';

addStyles(styles);

/** What rises, falls and trades most on a board. It follows the quotes at most once a second. */
export function RankingView() {
  const { live, shown } = useBoard();
  const isLoaded = live.moment.value > 0;
  const tickers = shown.value;
  if (tickers.length === 0) return <EmptyBoard />;
  const all = live.rows(tickers);
  if (isLost.value && all.every(({ quote }) => quote === undefined)) return <NotStored />;
  if (!isLoaded || allInstruments.value.size === 0) return null;
  const columns = columnsOf(live);
  const rankings = rankingsOf(all);
  return (
    <div class="rankings view content">
      {rankings.map(({ title, rows }) => (
        <section key={title} class="stack">
          <h2>{title}</h2>
          {rows.length === 0 ? (
            <p class="hint">Ninguna en esta rueda.</p>
          ) : (
            <FramedTable
              label={title}
              frameClass="listing-frame"
              columns={columns}
              rows={rows}
              nameOf={({ ticker }) => ticker}
              classOf={({ quote }) => `is-${freshnessOf(quote)}`}
            />
          )}
        </section>
      ))}
    </div>
  );
}

function columnsOf(live: LiveQuotes): readonly Column<RankedRow>[] {
  return [
    [
      'Especie',
      ({ ticker }) => (
        <a
          href={instrumentAddress(ticker)}
          data-ticker={ticker}
          title={instruments.value.get(ticker)?.nombre}
        >
          {ticker}
        </a>
      ),
    ],
    [
      'Rueda',
      ({ ticker, quote: { fecha, anterior } }) => (
        <PathDrawing ticker={ticker} day={fecha} previous={anterior} live={live} />
      ),
    ],
    ['Último', ({ ticker, quote }) => quoteTexts(ticker, quote).price],
    [
      'Variación',
      ({ ticker, quote }) => {
        const { way, change } = quoteTexts(ticker, quote);
        return <span class={`change ${way}`}>{change}</span>;
      },
    ],
    [
      'Monto',
      ({ quote: { monto } }) => <span title={formatVolume(monto)}>{formatCompact(monto)}</span>,
    ],
  ];
}

/** Maximum number of instruments of a ranking: that of `/ranking` (contract 4.16). */
const countMax = 10;

/** A row with a quote of the session. */
type RankedRow = Row & { readonly quote: NonNullable<Row['quote']> };

/** The first instruments of a board by one value. */
interface Ranking {
  readonly title: string;
  readonly rows: readonly RankedRow[];
}

/**
 * The rankings of a board: the greatest rises, the greatest falls, and the largest amounts of each currency, because
 * amounts in several currencies cannot be compared. The rows are those of `/ranking`: quotes of the session of their
 * market, and for changes those in percent. A rise is above zero, and a fall below.
 */
function rankingsOf(rows: readonly Row[]): readonly Ranking[] {
  const current = rows.filter(
    (row): row is RankedRow => row.quote !== undefined && freshnessOf(row.quote) !== 'earlier',
  );
  const compared = current.filter((row) => changeUnitOf(infoOf(row)) === 'percent');
  const traded = Map.groupBy(
    current.filter(({ quote }) => (quote.monto ?? 0) > 0),
    (row) => infoOf(row)?.moneda ?? '',
  );
  const rising = compared.filter(({ quote }) => (quote.variacion ?? 0) > 0);
  const falling = compared.filter(({ quote }) => (quote.variacion ?? 0) < 0);
  return [
    { title: 'Mayores subas', rows: firstOf(rising, '-variacion') },
    { title: 'Mayores bajas', rows: firstOf(falling, 'variacion') },
    ...[...traded]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([currency, own]) => ({
        title: currency === '' ? 'Más operadas' : `Más operadas en ${currency}`,
        rows: firstOf(own, '-monto'),
      })),
  ];
}

/** The first rows of an order, as addresses name it. */
function firstOf(rows: readonly RankedRow[], order: string): readonly RankedRow[] {
  return (sortRows(rows, parseSorting(order)) as readonly RankedRow[]).slice(0, countMax);
}

function infoOf({ ticker }: Row): InstrumentInfo | undefined {
  return instruments.value.get(ticker);
}
