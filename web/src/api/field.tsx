import { Check } from '../ui/check.tsx';
import { Select } from '../ui/select.tsx';
import type { ParameterEntry } from './openapi.ts';
import { listOf, shownAs, withChoice } from './parameter-values.ts';

interface FieldProps {
  readonly entry: ParameterEntry;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/**
 * The control of a parameter. A value of the address that the contract does not allow is shown and sent: a
 * user may want to try one, and the service explains its error better than a form.
 */
export function ParameterField(props: FieldProps) {
  const { entry, value, onChange } = props;
  const { choices, example } = entry;
  const { name } = entry.parameter;
  const kind = shownAs(entry, value);
  if (kind === 'checks') return <Checks {...props} />;
  const id = `param-${name}`;
  if (kind === 'select') {
    const isUnknown = value !== '' && !choices.some((choice) => choice.value === value);
    return (
      <Select
        id={id}
        class="mono"
        choices={[
          { value: '', name: 'Sin valor' },
          ...(isUnknown ? [{ value, name: `${value} (no es del contrato)` }] : []),
          ...choices.map((choice) => ({
            value: choice.value,
            name: choice.name === choice.value ? choice.value : `${choice.value}: ${choice.name}`,
          })),
        ]}
        chosen={value}
        onChoose={onChange}
      />
    );
  }
  const input = {
    id,
    class: 'input mono',
    name,
    value,
    autocomplete: 'off',
    onInput: (event: { readonly currentTarget: HTMLInputElement }) =>
      onChange(event.currentTarget.value),
  };
  if (kind === 'date') return <input {...input} type="date" />;
  return (
    <input {...input} type="text" autocapitalize="off" spellcheck={false} placeholder={example} />
  );
}

function Checks({ entry, value, onChange }: FieldProps) {
  const chosen = listOf(value);
  return (
    <div class="check-list bar" role="group" aria-label={entry.parameter.name}>
      {entry.choices.map((choice) => (
        <Check
          key={choice.value}
          checked={chosen.includes(choice.value)}
          onCheck={(isOn) => onChange(withChoice(value, { choice: choice.value, isOn }))}
        >
          <span class="mono">{choice.name}</span>
        </Check>
      ))}
    </div>
  );
}
