import type { ReadonlySignal } from '@preact/signals';

import styles from '../../styles/views.css?inline';
import { decimalsOf } from '../../market/columns.ts';
import { wayOf } from '../../market/format/direction.ts';
import {
  formatChange,
  formatCompact,
  formatPrice,
  formatVolume,
} from '../../market/format/numbers.ts';
import { freshnessOf } from '../../market/freshness.ts';
import { allInstruments, changeUnitOf, instruments } from '../../market/instruments.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import { PathDrawing } from '../../market/paths/path-drawing.tsx';
import type { SessionPaths } from '../../market/paths/session-paths.ts';
import { formatRoute } from '../../places/route.ts';
import { instrumentPage } from '../state/board-state.ts';
import { addStyles } from '../../ui/screen/add-styles.ts';
import { FramedTable } from '../../ui/table/framed-table.tsx';
import { EmptyBoard } from '../state/empty-board.tsx';
import { rankingsOf, type RankedRow } from './rankings.ts';

addStyles(styles);

/** What rises, falls and trades most on a board. It follows the quotes at most once a second. */
export function RankingView({
  live,
  paths,
  shown,
}: {
  readonly live: LiveQuotes;
  readonly paths: SessionPaths;
  readonly shown: ReadonlySignal<readonly string[]>;
}) {
  const isLoaded = live.moment.value > 0;
  const known = instruments.value;
  const tickers = shown.value;
  if (tickers.length === 0) return <EmptyBoard live={live} />;
  if (!isLoaded || allInstruments.value.size === 0) return null;
  const rankings = rankingsOf(live.rows(tickers), (ticker) => known.get(ticker), freshnessOf);
  return (
    <div class="listing rankings">
      {rankings.map(({ title, rows }) => (
        <section key={title}>
          <h2>{title}</h2>
          {rows.length === 0 ? (
            <p class="hint">Ninguna en esta rueda.</p>
          ) : (
            <FramedTable
              label={title}
              frameClass="listing-frame"
              titles={['Especie', 'Rueda', 'Último', 'Variación', 'Monto']}
            >
              {rows.map((row) => (
                <RankingRow key={row.ticker} {...row} paths={paths} />
              ))}
            </FramedTable>
          )}
        </section>
      ))}
    </div>
  );
}

function RankingRow({ ticker, quote, paths }: RankedRow & { readonly paths: SessionPaths }) {
  const info = instruments.value.get(ticker);
  const unit = changeUnitOf(info);
  return (
    <tr class={`is-${freshnessOf(quote)}`}>
      <th scope="row">
        <a href={formatRoute(instrumentPage(ticker))} data-ticker={ticker} title={info?.nombre}>
          {ticker}
        </a>
      </th>
      <td>
        <PathDrawing ticker={ticker} day={quote.fecha} previous={quote.anterior} paths={paths} />
      </td>
      <td>{formatPrice(quote.ultimo, decimalsOf(quote))}</td>
      <td class={`change ${wayOf(quote.variacion, unit)}`}>
        {formatChange(quote.variacion, unit)}
      </td>
      <td title={formatVolume(quote.monto)}>{formatCompact(quote.monto)}</td>
    </tr>
  );
}
