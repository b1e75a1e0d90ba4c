import type { ComponentProps } from 'preact';

import type { Choice } from './segments.tsx';

type Attributes = Pick<
  ComponentProps<'select'>,
  'id' | 'disabled' | 'aria-label' | 'aria-invalid' | 'aria-describedby'
>;

/** A choice of one of several values, as a list that opens. */
export function Select<T extends string>({
  choices,
  chosen,
  onChoose,
  class: own,
  ...attributes
}: Attributes & {
  readonly class?: string;
  readonly choices: readonly Pick<Choice<T>, 'value' | 'name'>[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}) {
  return (
    <select
      {...attributes}
      class={own === undefined ? 'input' : `input ${own}`}
      value={chosen}
      onChange={(event) => {
        const found = choices.find(({ value }) => value === event.currentTarget.value);
        if (found !== undefined) onChoose(found.value);
      }}
    >
      {choices.map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
