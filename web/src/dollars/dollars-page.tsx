import { usableKey } from '../key/api-key.ts';
import { KeyNeeded } from '../key/key-needed.tsx';
import { BrokenLine } from '../market/broken-line.tsx';
import { connection, silentSince } from '../market/connection.ts';
import { medianPath } from '../market/facts/receipt-dollars.ts';
import { useRows } from '../market/rows/use-rows.ts';
import { useLiveQuotes } from '../market/use-live-quotes.ts';
import styles from '../styles/dollars.css?inline';
import { addStyles } from '../ui/screen/add-styles.ts';
import { usePageTitle } from '../ui/use-page-title.ts';
import { referenceBond, rowName } from './dollar-groups.ts';
import { ImpliedTable } from './implied-table.tsx';
import { MainTable } from './main-table.tsx';
import { ReceiptsTable } from './receipts-table.tsx';

addStyles(styles);

/** The quotes that keep the page connected: those on which most of its figures depend. */
const followed = {
  tickers: [referenceBond, `${referenceBond}D`, `${referenceBond}C`, 'DOLAR MAYORISTA'],
  fields: [],
};

/** Every dollar, with its basis, its time, its gap over the wholesale one, and the canje. */
export function DollarsPage() {
  const key = usableKey.value;
  usePageTitle('Dólares');
  return (
    <div class={silentSince.value === undefined ? 'dollars-page' : 'dollars-page is-silent'}>
      <h1>Dólares</h1>
      {key === undefined ? <KeyNeeded /> : <Dollars apiKey={key} />}
    </div>
  );
}

function Dollars({ apiKey }: { readonly apiKey: string }) {
  useLiveQuotes(followed, apiKey);
  const rows = useRows('/dolares', apiKey, rowName).value;
  const median = useRows(medianPath, apiKey, rowName).value;
  const all = rows && [...rows.values(), ...(median?.values() ?? [])];
  return (
    <>
      <p class="muted">
        Pesos por dólar. La brecha es la diferencia con el dólar mayorista. Un precio en gris es de
        una rueda anterior, dudoso, o cociente de dos precios con más de 15 minutos entre sí.
      </p>
      <BrokenLine />
      {all === undefined ? (
        connection.value?.kind !== 'waiting' && <p class="muted">Cargando…</p>
      ) : (
        <>
          <MainTable rows={all} />
          <ImpliedTable rows={all} />
          <ReceiptsTable apiKey={apiKey} />
        </>
      )}
    </>
  );
}
