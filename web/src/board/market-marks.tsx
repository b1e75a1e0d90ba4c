import type { MarketState } from '../market/api/quote.ts';
import { formatInstant } from '../market/format/buenos-aires.ts';
import { silentSince } from '../market/connection.ts';
import { lookedAt, markets } from '../market/health-watch.ts';
import { instruments } from '../market/instruments.ts';
import type { LiveQuotes } from '../market/live-quotes.ts';

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
  return (
    <ul class="markets" aria-label="Estado de los mercados">
      {[...groups].map(([id, members]) => (
        <MarketMark key={id} members={members} />
      ))}
      <li class="muted">Hora de Buenos Aires</li>
    </ul>
  );
}

/** Markets that have the same state until the same instant. */
function MarketMark({ members }: { readonly members: readonly MarketState[] }) {
  const [first] = members;
  if (first === undefined) return null;
  const isOpen = first.estado === 'abierto';
  const word = first.estado + (members.length === 1 ? '' : 's');
  const until = isOpen ? 'hasta' : members.length === 1 ? 'abre' : 'abren';
  return (
    <li
      class={`market market-${silentSince.value === undefined ? first.estado : 'unknown'}`}
      title={members.map(({ nombre }) => nombre).join('; ')}
    >
      <span class="dot" />
      <span>
        {members.map(({ codigo }) => codigo).join(', ')} {word}
      </span>
      <span class="muted">
        {until} {formatInstant(Date.parse(first.cambia), lookedAt.value)}
      </span>
    </li>
  );
}
