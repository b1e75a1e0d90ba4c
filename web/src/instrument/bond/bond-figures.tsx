import { useSignal, type ReadonlySignal } from '@preact/signals';

import type { BondFigures as Figures, ConventionName } from '../../market/api/quote.ts';
import { priceForm } from '../../market/bonds/convention-texts.ts';
import { assumptionOf, stateReason } from '../../market/facts/instrument-facts.ts';
import { bondQuery, conventionNote } from '../../market/facts/conventions.ts';
import { formatPrice } from '../../market/format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { FramedTable, Noted, type Column } from '../../ui/table/framed-table.tsx';
import { dependencies, figureLines, type FigureLine } from './figure-lines.ts';
import { useAnswer } from '../../market/rows/use-rows.ts';
import { parsePrice } from '../../market/format/parse-price.ts';

/** The figures of a bond at its latest price and, beside them, at a price of the user. */
export function BondFigures({
  ticker,
  currency,
  convention,
  latest,
}: {
  readonly ticker: string;
  /** The currency of its prices. */
  readonly currency: string;
  readonly convention: ConventionName;
  /** Null for a bond without a quote, undefined while the figures are requested. */
  readonly latest: Figures | null | undefined;
}) {
  const asked = useSignal<number | undefined>(undefined);
  const selection = `especie=${encodeURIComponent(ticker)}`;
  const query = `${bondQuery(selection, convention)}&precio=${asked.value}`;
  const path = asked.value === undefined ? undefined : `/bonos?${query}`;
  const { rows, refusal } = useAnswer<Figures>(path);
  const [priced] = rows ?? [];
  const columns = [
    ...(latest ? [{ title: 'Al último precio', bond: latest }] : []),
    ...(asked.value === undefined || priced === undefined
      ? []
      : [{ title: `A ${formatPrice(asked.value)}`, bond: priced }]),
  ];
  return (
    <>
      <PriceForm
        label={`Precio en ${currency} cada 100 nominales, ${priceForm(convention)}`}
        asked={asked}
        problem={refusal ?? (priced === undefined ? undefined : stateReason(priced))}
        onAsk={(price) => (asked.value = price)}
      />
      {latest === null && <p class="muted">Sin cotización: solo hay cifras al precio ingresado.</p>}
      {latest === undefined && <p class="muted">Cargando las cifras…</p>}
      {latest && <Notes bond={latest} />}
      {columns.length > 0 && (
        <FramedTable
          label="Cifras del bono"
          frameClass="bond-frame"
          caption={`Cifras del bono, ${conventionNote(convention)}`}
          columns={[
            ['Cifra', ({ name, meaning }) => <Noted text={name} note={meaning} />],
            ...columns.map(({ title, bond }): Column<FigureLine> => [
              title,
              ({ text }) => text(bond),
            ]),
          ]}
          rows={figureLines}
        />
      )}
    </>
  );
}

/** What the figures of the latest price depend on and suppose, and why some are missing. */
function Notes({ bond }: { readonly bond: Figures }) {
  const reason = stateReason(bond);
  const assumption = assumptionOf(bond);
  return (
    <>
      {reason !== undefined && <p class="notice">{reason}.</p>}
      <p class="hint">
        Dependen de: {dependencies(bond)}.{assumption !== undefined && ` Supuesto: ${assumption}.`}
      </p>
    </>
  );
}

/** A field for a price, at which the figures are computed too. */
function PriceForm({
  label,
  asked,
  problem,
  onAsk,
}: {
  /** What the price is: its currency and its form. */
  readonly label: string;
  /** The price of the figures that are shown. Undefined for none. */
  readonly asked: ReadonlySignal<number | undefined>;
  /** Why there are no figures at this price. */
  readonly problem: string | undefined;
  readonly onAsk: (price: number | undefined) => void;
}) {
  const text = useSignal('');
  const wrong = useSignal<string | undefined>(undefined);
  const said = wrong.value ?? (asked.value === undefined ? undefined : problem);
  return (
    <form
      class="screen-only bar"
      noValidate
      aria-label="Calcular a otro precio"
      onSubmit={(event) => {
        event.preventDefault();
        const price = parsePrice(text.value);
        const isPrice = price !== undefined && price > 0;
        wrong.value = isPrice ? undefined : problemOf(text.value);
        onAsk(isPrice ? price : undefined);
      }}
    >
      <label class="small" for="bond-price">
        {label}
      </label>
      <TextInput
        id="bond-price"
        inputMode="decimal"
        spellcheck={false}
        aria-invalid={wrong.value !== undefined}
        aria-describedby={said === undefined ? undefined : 'bond-price-problem'}
        value={text.value}
        onType={(typed) => (text.value = typed)}
      />
      <Button type="submit" look="small">
        Calcular
      </Button>
      {asked.value !== undefined && (
        <Button
          look="small"
          onClick={() => {
            text.value = '';
            wrong.value = undefined;
            onAsk(undefined);
          }}
        >
          Quitar
        </Button>
      )}
      <p id="bond-price-problem" class="field-problem" role="alert">
        {said}
      </p>
    </form>
  );
}

function problemOf(text: string): string {
  if (text.trim() === '') return 'Ingresar un precio, por ejemplo 60,84.';
  return `«${text.trim()}» no es un precio mayor que cero, como 60,84 o 94.018.`;
}
