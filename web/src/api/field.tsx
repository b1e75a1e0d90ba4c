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
  const shared = { id: `param-${name}`, class: 'input mono', name, value };
  if (kind === 'select') {
    const isUnknown = value !== '' && !choices.some((choice) => choice.value === value);
    return (
      <select {...shared} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">Sin valor</option>
        {isUnknown && <option value={value}>{value} (no es del contrato)</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name === choice.value ? choice.value : `${choice.value}: ${choice.name}`}
          </option>
        ))}
      </select>
    );
  }
  const input = {
    ...shared,
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
    <div class="check-list" role="group" aria-label={entry.parameter.name}>
      {entry.choices.map((choice) => (
        <label key={choice.value} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={(event) =>
              onChange(
                withChoice(value, { choice: choice.value, isOn: event.currentTarget.checked }),
              )
            }
          />
          <span class="mono">{choice.name}</span>
        </label>
      ))}
    </div>
  );
}
