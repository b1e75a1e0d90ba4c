import type { ComponentProps } from 'preact';

type Attributes = Pick<
  ComponentProps<'input'>,
  | 'id'
  | 'value'
  | 'spellcheck'
  | 'inputMode'
  | 'maxLength'
  | 'placeholder'
  | 'aria-label'
  | 'aria-invalid'
  | 'aria-describedby'
> & {
  /** The identifier of the list whose options the browser offers. */
  readonly list?: string;
};

/** A field for a text that the browser does not remember. `onType` receives each change. */
export function TextInput({
  onType,
  ...attributes
}: Attributes & { readonly onType: (text: string) => void }) {
  return (
    <input
      type="text"
      class="input"
      autocomplete="off"
      {...attributes}
      onInput={(event) => onType(event.currentTarget.value)}
    />
  );
}
