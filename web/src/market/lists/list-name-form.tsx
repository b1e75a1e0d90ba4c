import { useSignal } from '@preact/signals';

import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { nameLengthMax, nameProblem } from './ticker-lists.ts';

/** A form for the name of a list of this browser, which says why a name cannot be given. */
export function ListNameForm({
  id,
  label,
  action,
  own = '',
  onName,
}: {
  /** The identifier of its field. */
  readonly id: string;
  readonly label: string;
  /** What its button does. */
  readonly action: string;
  /** The name that the list has. Empty for a new list. */
  readonly own?: string;
  readonly onName: (name: string) => void;
}) {
  const text = useSignal(own);
  const name = text.value.trim();
  const problem = nameProblem(name, own);
  const said = name === '' && own === '' ? undefined : problem;
  const submit = (event: Event) => {
    event.preventDefault();
    if (problem !== undefined || name === own) return;
    onName(name);
    if (own === '') text.value = '';
  };
  return (
    <form class="field stack gap-2" onSubmit={submit}>
      <label for={id}>{label}</label>
      <span class="row whole">
        <TextInput
          id={id}
          maxLength={nameLengthMax}
          aria-invalid={said !== undefined}
          aria-describedby={`${id}-problem`}
          value={text.value}
          onType={(typed) => (text.value = typed)}
        />
        <Button type="submit" disabled={problem !== undefined || name === own}>
          {action}
        </Button>
      </span>
      <span id={`${id}-problem`} class="field-problem" role="status">
        {said}
      </span>
    </form>
  );
}
