import type { Parameter } from '../market/api/openapi.ts';
import { Prose } from '../ui/text/prose.tsx';
import { listOf, shownAs, withChoice } from './parameter-values.ts';

interface FieldProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/**
 * One parameter with its help text. A value of the address that the contract does not allow is shown and
 * sent: a user may want to try one, and the service explains its error better than a form.
 */
export function ParameterField(props: FieldProps) {
  const { name, isRequired, description } = props.parameter;
  const isGroup = shownAs(props.parameter, props.value) === 'checks';
  const title = (
    <>
      <span class="mono">{name}</span>{' '}
      <span class="muted">{isRequired ? 'obligatorio' : 'opcional'}</span>
    </>
  );
  const help = (
    <div id={`help-${name}`} class="hint">
      <Prose text={description} />
    </div>
  );
  if (isGroup) {
    return (
      <fieldset class="field try-checks" aria-describedby={`help-${name}`}>
        <legend>{title}</legend>
        <Checks {...props} />
        {help}
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label for={`param-${name}`}>{title}</label>
      <Control {...props} />
      {help}
    </div>
  );
}

function Checks({ parameter, value, onChange }: FieldProps) {
  const chosen = listOf(value);
  return (
    <div class="try-check-list">
      {parameter.choices.map((choice) => (
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

function Control({ parameter, value, onChange }: FieldProps) {
  const { name, choices, example } = parameter;
  const shared = {
    id: `param-${name}`,
    class: 'input mono',
    name,
    'aria-describedby': `help-${name}`,
    value,
  };
  const kind = shownAs(parameter, value);
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
