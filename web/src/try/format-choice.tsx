import { Segments } from '../ui/segments.tsx';

type Format = 'json' | 'csv' | 'coma' | 'ndjson';

/** The formats of a table, with the values of `formato` and `decimal` that request them. */
const formats: readonly {
  readonly value: Format;
  readonly name: string;
  readonly values: Readonly<Record<'formato' | 'decimal', string>>;
}[] = [
  { value: 'json', name: 'JSON', values: { formato: '', decimal: '' } },
  { value: 'csv', name: 'CSV', values: { formato: 'csv', decimal: '' } },
  { value: 'coma', name: 'CSV con coma decimal', values: { formato: 'csv', decimal: 'coma' } },
  { value: 'ndjson', name: 'NDJSON', values: { formato: 'ndjson', decimal: '' } },
];

/** The parameters that the choice fills in. The form does not show them again. */
export const formatParameters: readonly string[] = ['formato', 'decimal'];

/** Selects the format of a table. */
export function FormatChoice({
  values,
  onChange,
}: {
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}) {
  // An address may have values that no choice has. They are sent, and no choice is marked.
  const chosen = formats.find(
    (one) =>
      one.values.formato === (values['formato'] ?? '') &&
      one.values.decimal === (values['decimal'] ?? ''),
  );
  return (
    <Segments
      label="Formato"
      choices={formats}
      chosen={chosen?.value}
      onChoose={(value) => onChange(formats.find((one) => one.value === value)?.values ?? {})}
    />
  );
}
