import type { InstrumentInfo } from '../../market/api/quote.ts';
import { ConventionLine } from '../../market/bonds/convention-line.tsx';
import { useAnswer, type Bonds } from '../../market/rows/use-rows.ts';
import { chooseConvention, conventionOf } from '../../places/bond-convention.ts';
import type { InstrumentPlace } from '../../places/route.ts';
import { BondFigures } from './bond-figures.tsx';
import { BondFlows } from './bond-flows.tsx';
import { BondHistory } from './bond-history.tsx';
import { termsFields, termsLines } from './terms-lines.ts';

/** What the page of a bond has beside its prices: its figures, its payments and its terms. */
export function BondSection({
  place,
  bonds: source,
}: {
  readonly place: InstrumentPlace;
  /** The figures of the bond by the convention of the place. */
  readonly bonds: Bonds;
}) {
  const { ticker } = place;
  const selection = encodeURIComponent(ticker);
  const { rows } = useAnswer<InstrumentInfo>(
    `/especies.json?buscar=${selection}&campos=${termsFields}`,
  );
  const info = rows?.find(({ especie }) => especie === ticker);
  const convention = conventionOf(place);
  const bonds = source.value;
  if (info !== undefined && info.monedaPagos === undefined) {
    return (
      <section class="bond" aria-label="Cifras del bono">
        <p class="muted">
          El servicio no tiene las condiciones de emisión de {ticker}, así que no calcula sus cifras
          ni conoce sus pagos.
        </p>
      </section>
    );
  }
  const latest = bonds === undefined ? undefined : (bonds.get(ticker) ?? null);
  return (
    <div class="bond stack gap-7">
      <section class="bond-figures stack" aria-labelledby="bond-title">
        <h2 id="bond-title">Cifras del bono</h2>
        <div class="row small">
          <ConventionLine
            convention={convention}
            onChoose={(wanted) => chooseConvention(place, wanted)}
          />
        </div>
        {info === undefined ? (
          <p class="muted">Cargando las cifras…</p>
        ) : (
          <BondFigures
            key={ticker}
            ticker={ticker}
            currency={info.moneda}
            convention={convention}
            latest={latest}
          />
        )}
      </section>
      <div class="stack gap-7">
        <BondFlows
          ticker={ticker}
          index={latest?.indice ?? undefined}
          currency={info?.monedaPagos}
        />
        {info !== undefined && <BondTerms info={info} />}
      </div>
      {info !== undefined && <BondHistory key={ticker} place={place} />}
    </div>
  );
}

/** The terms of an issue on which the figures depend, and how certain they are. */
function BondTerms({ info }: { readonly info: InstrumentInfo }) {
  return (
    <section class="stack" aria-labelledby="bond-terms-title">
      <h2 id="bond-terms-title">Condiciones de emisión</h2>
      <dl class="bond-terms pairs">
        {termsLines(info).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
