import { useSignal, type ReadonlySignal } from '@preact/signals';

import { parsePrice } from '../../market/format/parse-price.ts';

/** A field for a price, at which the figures are computed too. */
export function PriceForm({
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
      class="price-form"
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
      <label for="bond-price">{label}</label>
      <input
        id="bond-price"
        class="input"
        inputMode="decimal"
        autocomplete="off"
        spellcheck={false}
        aria-invalid={wrong.value !== undefined}
        aria-describedby={said === undefined ? undefined : 'bond-price-problem'}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <button type="submit" class="button">
        Calcular
      </button>
      {asked.value !== undefined && (
        <button
          type="button"
          class="button"
          onClick={() => {
            text.value = '';
            wrong.value = undefined;
            onAsk(undefined);
          }}
        >
          Quitar
        </button>
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
