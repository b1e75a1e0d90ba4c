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

/** The session state of every market that an instrument of the panel trades on. */
export function MarketMarks({ live }: { readonly live: LiveQuotes }) {
  const infos = live.tickers.value.map((ticker) => instruments.value.get(ticker));
  const codes = new Set(infos.flatMap((info) => (info === undefined ? [] : [info.mercado])));
  const shown = [...markets.value.values()].filter(({ codigo }) => codes.has(codigo));
  if (shown.length === 0) return null;
  return (
    <ul class="markets" aria-label="Estado de los mercados">
      {shown.map(({ codigo, nombre, estado, cambia }) => (
        <li key={codigo} class={`market market-${estado}`} title={nombre}>
          <span class="dot" />
          <span>
            {codigo} {estado}
          </span>
          <span class="muted">
            {estado === 'abierto' ? 'hasta' : 'abre'} {instantText(cambia)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function instantText(instant: string): string {
  const date = new Date(instant);
  const isSoon = date.getTime() - Date.now() < dayMs;
  return (isSoon ? time : dayAndTime).format(date).replace(',', '');
}
