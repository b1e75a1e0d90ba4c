import { currencyCodes, type CurrencyCode } from '../../places/chart-choices.ts';
import { Select } from '../../ui/select.tsx';
import { dollars } from './conversion.ts';

const choices = currencyCodes.map((value) => ({
  value,
  name: value === 'original' ? 'Moneda original' : dollars[value].name.replace('dólar', 'Dólar'),
}));

/** Selects the currency in which prices in pesos are shown. */
export function CurrencyChoice({
  currency,
  onChoose,
}: {
  readonly currency: CurrencyCode;
  readonly onChoose: (currency: CurrencyCode) => void;
}) {
  return <Select aria-label="Moneda" choices={choices} chosen={currency} onChoose={onChoose} />;
}
