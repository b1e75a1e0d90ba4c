import type { Parameter } from '../market/api/openapi.ts';
import { Prose } from './prose.tsx';

/**
 * One parameter with its help text. The page sends the value unchanged: a user may want to try an
 * invalid value, and the service explains its error better than a form.
 */
export function ParameterField({
  parameter,
  value,
  onChange,
}: {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { name, isRequired, description, choices, format, example } = parameter;
  const placeholder = format === 'date' ? 'AAAA-MM-DD' : example;
  return (
    <div class="field">
      <label for={`param-${name}`}>
        <span class="mono">{name}</span>
        <span class="muted">{isRequired ? 'obligatorio' : 'opcional'}</span>
      </label>
      <input
        id={`param-${name}`}
        class="input mono"
        name={name}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder={placeholder}
        list={choices.length > 0 ? `choices-${name}` : undefined}
        aria-describedby={`help-${name}`}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {choices.length > 0 && (
        <datalist id={`choices-${name}`}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.name}
            </option>
          ))}
        </datalist>
      )}
      <div id={`help-${name}`} class="hint">
        <Prose text={description} />
      </div>
    </div>
  );
}
