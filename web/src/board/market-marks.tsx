import type { MarketState } from '../api/health.ts';
import { markets } from '../market/health-watch.ts';
import { instruments } from '../market/instruments.ts';
import type { LiveQuotes } from '../market/live-quotes.ts';

const time = new Intl.DateTimeFormat('es-AR', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const dayAndTime = new Intl.DateTimeFormat('es-AR', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const dayMs = 86_400_000;

/**
 * The session state of every market that an instrument of the panel trades on; those that open and
 * close together are told together.
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
    </ul>
  );
}

/** Markets in the same state until the same instant. */
function MarketMark({ members }: { readonly members: readonly MarketState[] }) {
  const [first] = members;
  if (first === undefined) return null;
  const isOpen = first.estado === 'abierto';
  const word = first.estado + (members.length === 1 ? '' : 's');
  const until = isOpen ? 'hasta' : members.length === 1 ? 'abre' : 'abren';
  return (
    <li
      class={`market market-${first.estado}`}
      title={members.map(({ nombre }) => nombre).join('; ')}
    >
      <span class="dot" />
      <span>
        {members.map(({ codigo }) => codigo).join(', ')} {word}
      </span>
      <span class="muted">
        {until} {instantText(first.cambia)}
      </span>
    </li>
  );
}

function instantText(instant: string): string {
  const date = new Date(instant);
  const isSoon = date.getTime() - Date.now() < dayMs;
  return (isSoon ? time : dayAndTime).format(date).replace(',', '');
}
