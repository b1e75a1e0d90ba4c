import type { InstrumentInfo } from '../market/api/quote.ts';
import { useAnswer } from '../market/rows/use-rows.ts';
import { instruments } from '../market/instruments.ts';
import { formatRoute, instrumentRoute } from '../places/route.ts';

/** The other instruments of the same issuer: its classes, its receipts, and the bond of the other law. */
export function Siblings({ ticker }: { readonly ticker: string }) {
  const { rows: own } = useAnswer<InstrumentInfo>(classesPath(ticker));
  const base = own?.find(({ especie }) => especie === ticker)?.base ?? ticker;
  // The search for a class finds that class alone.
  const { rows } = useAnswer<InstrumentInfo>(base === ticker ? undefined : classesPath(base));
  const classes = (rows ?? own ?? []).filter((row) => row.base === base);
  const known = instruments.value;
  const receipts = [...known.values()].filter(({ subyacente }) => subyacente === base);
  const named = [
    ...classes.map(({ especie }) => especie),
    known.get(ticker)?.subyacente,
    ...receipts.map(({ especie }) => especie),
    otherLaw(base),
  ];
  const siblings = [...new Set(named)].filter(
    (one) => one !== undefined && one !== ticker && known.has(one),
  );
  return (
    <nav class="siblings row fill scroller gap-3" aria-label="Especies relacionadas">
      {siblings.map((one = '') => (
        <a
          key={one}
          class="button button-small"
          href={formatRoute(instrumentRoute(one))}
          title={known.get(one)?.nombre}
        >
          {one}
        </a>
      ))}
    </nav>
  );
}

function classesPath(ticker: string): string {
  return `/especies.json?buscar=${encodeURIComponent(ticker)}&campos=base`;
}

/** The sovereign bond with the same payments under the law of New York, or under that of Argentina. */
function otherLaw(base: string): string | undefined {
  const [, law, year] = /^(AL|AE|GD)(\d\d)$/.exec(base) ?? [];
  if (law === undefined) return undefined;
  return law === 'GD' ? (year === '38' ? 'AE38' : `AL${year}`) : `GD${year}`;
}
