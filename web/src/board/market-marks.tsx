import type { MarketState } from '../market/api/quote.ts';
import { formatInstant } from '../market/format/buenos-aires.ts';
import { silentSince } from '../market/connection.ts';
import { lookedAt, markets } from '../market/health-watch.ts';
import { instruments } from '../market/instruments.ts';
import type { LiveQuotes } from '../market/live-quotes.ts';
import { Menu } from '../ui/menu.tsx';

/**
 * The state of the market of each instrument of the panel, in Buenos Aires time. Markets that open
 * and close at the same time share an entry.
 */
export function MarketMarks({ live }: { readonly live: LiveQuotes }) {
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
        <span class={`market market-${stateClass(open > 0 ? 'abierto' : 'cerrado')}`}>
          <span class="dot" />
          <span>
            {groups.size === 1 && first?.[0] !== undefined
              ? `${open > 0 ? 'Abierto' : 'Cerrado'} ${changeText(first[0], first.length)}`
              : `${open} de ${shown.length} mercados ${open === 1 ? 'abierto' : 'abiertos'}`}
          </span>
        </span>
      }
    >
      <ul class="menu-list" aria-label="Estado de los mercados">
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
      class={`market market-${stateClass(first.estado)}`}
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
