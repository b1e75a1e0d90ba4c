import { freshnessOf } from '../market/freshness.ts';
import { lookedAt, markets } from '../market/health-watch.ts';
import { instruments } from '../market/instruments.ts';
import { useBoard } from './state/board-context.ts';
import { countRows } from './count-rows.ts';
import type { MarketState } from '../market/api/quote.ts';
import { formatInstant } from '../market/format/buenos-aires.ts';
import { isLost, silentSince } from '../market/connection.ts';
import { Menu } from '../ui/menu.tsx';

/**
 * The number of rising and falling instruments in the current or last session, as text and as a
 * bar.
 */
export function PanelSummary() {
  const { live } = useBoard();
  void live.moment.value;
  const rows = live.rows();
  // Without the markets, a quote of an earlier session cannot be distinguished from a current one.
  if (
    !live.isLoaded.value ||
    rows.length === 0 ||
    instruments.value.size === 0 ||
    markets.value.size === 0
  )
    return null;
  const { up, same, down, unknown, earlier, missing } = countRows(rows, freshnessOf);
  if (isLost.value && missing === rows.length) return null;
  const isKnown = rows.some(({ quote }) => freshnessOf(quote) !== 'unknown');
  const compared = Math.max(1, up + same + down);
  return (
    <div class={isKnown ? 'summary row gap-3' : 'summary row gap-3 is-unknown'}>
      <svg class="summary-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="same" width="100" height="4" />
        <rect class="up" width={(up / compared) * 100} height="4" />
        <rect
          class="down"
          x={((up + same) / compared) * 100}
          width={(down / compared) * 100}
          height="4"
        />
      </svg>
      <Count kind="up" sign="▲" count={up} text={plural(up, 'sube', 'suben')} />
      <Count sign="=" count={same} text={`${same} sin cambio`} />
      <Count kind="down" sign="▼" count={down} text={plural(down, 'baja', 'bajan')} />
      {unknown > 0 && <Count sign="?" count={unknown} text={`${unknown} sin variación`} />}
      {earlier > 0 && (
        <Count
          sign="○"
          count={earlier}
          text={plural(earlier, 'de una rueda anterior', 'de ruedas anteriores')}
        />
      )}
      {missing > 0 && <Count sign="–" count={missing} text={`${missing} sin cotización`} />}
    </div>
  );
}

/** A count: short on the screen, with its meaning in its title, and as a text for screen readers. */
function Count({
  kind = 'muted',
  sign,
  count,
  text,
}: {
  readonly kind?: 'up' | 'down' | 'muted';
  readonly sign: string;
  readonly count: number;
  readonly text: string;
}) {
  return (
    <span class={`count ${kind}`} title={text}>
      <span aria-hidden="true">
        {sign} {count}
      </span>
      <span class="visually-hidden">{text}</span>
    </span>
  );
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * The state of the market of each instrument of the panel, in Buenos Aires time. Markets that open
 * and close at the same time share an entry.
 */
export function MarketMarks() {
  const { live } = useBoard();
  const infos = live.tickers.value.map((ticker) => instruments.value.get(ticker));
  const codes = new Set(infos.flatMap((info) => (info === undefined ? [] : [info.mercado])));
  const shown = [...markets.value.values()].filter(({ codigo }) => codes.has(codigo));
  const groups = Map.groupBy(shown, ({ estado, cambia }) => `${estado} ${cambia}`);
  if (shown.length === 0) return null;
  const open = shown.filter(({ estado }) => estado === 'abierto').length;
  const [first] = groups.values();
  return (
    <Menu
      class="markets"
      title={
        <span class={`row whole gap-3 market-${stateClass(open > 0 ? 'abierto' : 'cerrado')}`}>
          <span class="dot" />
          {groups.size === 1 && first?.[0] !== undefined ? (
            <span class="last-line">
              <span>{open > 0 ? 'Abierto' : 'Cerrado,'}&nbsp;</span>
              <span>{changeText(first[0], first.length)}</span>
            </span>
          ) : (
            <span class="clip">
              {open} de {shown.length} mercados {open === 1 ? 'abierto' : 'abiertos'}
            </span>
          )}
        </span>
      }
    >
      <ul class="menu-list pop stack gap-3" aria-label="Estado de los mercados">
        {[...groups].map(([id, members]) => (
          <li key={id}>
            <MarketMark members={members} />
          </li>
        ))}
        <li class="muted">Hora de Buenos Aires</li>
      </ul>
    </Menu>
  );
}

/** Markets that have the same state until the same instant. */
function MarketMark({ members }: { readonly members: readonly MarketState[] }) {
  const [first] = members;
  if (first === undefined) return null;
  const word = first.estado + (members.length === 1 ? '' : 's');
  return (
    <span
      class={`row whole gap-3 market-${stateClass(first.estado)}`}
      title={members.map(({ nombre }) => nombre).join('; ')}
    >
      <span class="dot" />
      <span>
        {members.map(({ codigo }) => codigo).join(', ')} {word}
      </span>
      <span class="muted">{changeText(first, members.length)}</span>
    </span>
  );
}

/** When the state of some markets changes. */
function changeText({ estado, cambia }: MarketState, count: number): string {
  const word = estado === 'abierto' ? 'hasta' : count === 1 ? 'abre' : 'abren';
  return `${word} ${formatInstant(Date.parse(cambia), lookedAt.value)}`;
}

/** While the service is silent, no state is known. */
function stateClass(state: MarketState['estado']): MarketState['estado'] | 'unknown' {
  return silentSince.value === undefined ? state : 'unknown';
}
