import type { InstrumentInfo } from '../../market/api/quote.ts';
import { termsLines } from './terms-lines.ts';

/** The terms of an issue on which the figures depend, and how certain they are. */
export function BondTerms({ info }: { readonly info: InstrumentInfo }) {
  return (
    <section aria-labelledby="bond-terms-title">
      <h2 id="bond-terms-title">Condiciones de emisión</h2>
      <dl class="bond-terms">
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
