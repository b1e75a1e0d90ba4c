import { usableKey } from '../key/api-key.ts';
import { KeyNeeded } from '../key/key-needed.tsx';
import { BrokenLine, NotStored } from '../market/broken-line.tsx';
import { isLost } from '../market/connection.ts';
import { medianPath } from '../market/facts/receipt-dollars.ts';
import { useRows } from '../market/rows/use-rows.ts';
import { useLiveQuotes } from '../market/use-live-quotes.ts';
import styles from '../styles/views.css?inline';
import { addStyles } from '../ui/screen/add-styles.ts';
import { usePageTitle } from '../ui/use-page-title.ts';
import { DollarCards } from './dollar-cards.tsx';
import { dollarCards, missingDollars, rowName } from './dollar-groups.ts';
import { ImpliedTable } from './implied-table.tsx';
import { ReceiptsTable } from './receipts-table.tsx';

addStyles(styles);

/** The panel that has the changes and paths of the cards. */
const followed = { panel: 'IND' };

/** Every dollar, with its basis, its time, its gap over the wholesale one, and the canje. */
export function DollarsPage() {
  const key = usableKey.value;
  usePageTitle('Dólares');
  return (
    <div class="dollars-page page stack gap-6">
      <h1>Dólares</h1>
      {key === undefined ? <KeyNeeded /> : <Dollars />}
    </div>
  );
}

function Dollars() {
  const live = useLiveQuotes(followed);
  const rows = useRows('/dolares', rowName).value;
  const median = useRows(medianPath, rowName).value;
  // At once: a card that came later would move the others.
  const all = rows && median && [...rows.values(), ...median.values()];
  const cards = dollarCards(all ?? []);
  const missing = all === undefined ? [] : missingDollars(all);
  return (
    <>
      <p class="hint">
        Pesos por dólar. La brecha es la diferencia con el dólar mayorista. Un precio en gris es de
        una rueda anterior, dudoso, o cociente de dos precios con más de 15 minutos entre sí.
      </p>
      <BrokenLine isEmpty={all === undefined} />
      {all === undefined ? (
        isLost.value ? (
          <NotStored />
        ) : (
          <p class="muted">Cargando…</p>
        )
      ) : (
        <>
          <DollarCards cards={cards.main} live={live} />
          <ImpliedTable rows={all} />
          <section class="stack">
            <h2>Otras referencias</h2>
            <DollarCards cards={cards.others} live={live} />
            {missing.length > 0 && (
              <p class="hint">
                Sin datos: {missing.join(', ')}. Ninguna fuente los publica, o las especies de las
                que se obtienen no cotizaron en la misma rueda.
              </p>
            )}
          </section>
          <ReceiptsTable />
        </>
      )}
    </>
  );
}
