import { currencyCodes, type CurrencyCode } from '../../places/chart-choices.ts';
import { Select } from '../../ui/select.tsx';

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
    <Select
      aria-label="Moneda"
      choices={currencyCodes.map((value) => ({ value, name: names[value] }))}
      chosen={currency}
      onChoose={onChoose}
    />
  );
}
