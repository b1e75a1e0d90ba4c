import { allInstruments } from '../market/instruments.ts';
import { findInstruments } from '../market/search/find-instruments.ts';
import { formatRoute, instrumentRoute } from '../places/route.ts';
import { usePageTitle } from '../ui/use-page-title.ts';

/** Maximum number of suggestions. */
const suggestionsMax = 5;

/** The page of a ticker that the service does not have, with those that may have been meant. */
export function UnknownInstrument({ ticker }: { readonly ticker: string }) {
  usePageTitle(ticker);
  const { instruments: found } = findInstruments(ticker, allInstruments.value.values());
  const near = found.slice(0, suggestionsMax);
  return (
    <>
      <h1>{ticker}</h1>
      <p>La especie «{ticker}» no existe.</p>
      {near.length > 0 && (
        <section class="near" aria-labelledby="near-title">
          <h2 id="near-title">Especies parecidas</h2>
          <ul>
            {near.map(({ especie, nombre }) => (
              <li key={especie}>
                <a href={formatRoute(instrumentRoute(especie))}>{especie}</a> {nombre}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
