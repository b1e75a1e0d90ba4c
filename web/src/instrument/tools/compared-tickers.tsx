import { useSignal } from '@preact/signals';

import { canonicalTicker, instruments } from '../../market/instruments.ts';
import { InstrumentOptions } from '../../market/instrument-options.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { TextInput } from '../../ui/text-input.tsx';

/** Selects the instruments to compare with, and shows them in the colours of their lines. */
export function ComparedTickers({
  ticker,
  compared,
  max,
  onChange,
}: {
  readonly ticker: string;
  readonly compared: readonly string[];
  readonly max: number;
  readonly onChange: (compared: readonly string[]) => void;
}) {
  const text = useSignal('');
  const problem = useSignal<string | undefined>(undefined);
  const add = (event: Event) => {
    event.preventDefault();
    const found = canonicalTicker(text.value.trim());
    if (found === '') return;
    if (!instruments.value.has(found)) problem.value = `La especie «${found}» no existe.`;
    else {
      if (found !== ticker && !compared.includes(found)) onChange([...compared, found]);
      problem.value = undefined;
      text.value = '';
    }
  };
  return (
    <div class="row">
      {compared.map((one, at) => (
        <Chip
          key={one}
          color={`var(--line-${at + 2})`}
          text={one}
          removal={`Quitar ${one} de la comparación`}
          onRemove={() => onChange(compared.filter((other) => other !== one))}
        />
      ))}
      {compared.length < max && (
        <form onSubmit={add} class="compare-form row gap-3">
          <TextInput
            list="especies"
            placeholder="Comparar…"
            aria-label="Comparar con otra especie"
            aria-invalid={problem.value !== undefined}
            value={text.value}
            onType={(typed) => {
              text.value = typed;
              problem.value = undefined;
            }}
          />
          <InstrumentOptions />
          <Button type="submit" look="small" aria-label="Agregar a la comparación">
            <PlusIcon />
          </Button>
        </form>
      )}
      <span class="field-problem" role="alert">
        {problem.value}
      </span>
    </div>
  );
}
