import { currencyCodes, type CurrencyCode } from '../../places/chart-choices.ts';

const names: Readonly<Record<CurrencyCode, string>> = {
  original: 'Moneda original',
  mep: 'Dólar MEP',
  ccl: 'Dólar CCL',
  oficial: 'Dólar oficial',
};

/** Selects the currency in which prices in pesos are shown. */
export function CurrencyChoice({
  currency,
  onChoose,
}: {
  readonly currency: CurrencyCode;
  readonly onChoose: (currency: CurrencyCode) => void;
}) {
  return (
    <select
      class="input"
      aria-label="Moneda"
      value={currency}
      onChange={(event) => {
        const chosen = currencyCodes.find((code) => code === event.currentTarget.value);
        if (chosen !== undefined) onChoose(chosen);
      }}
    >
      {currencyCodes.map((code) => (
        <option key={code} value={code}>
          {names[code]}
        </option>
      ))}
    </select>
  );
}
