import type { ComponentChildren } from 'preact';

/** A box to check, or one of several choices of a name, with its text. */
export function Check({
  name,
  checked,
  disabled = false,
  onCheck,
  children,
}: {
  /** The name that the choices share. Undefined for a box. */
  readonly name?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onCheck: (isChecked: boolean) => void;
  readonly children: ComponentChildren;
}) {
  return (
    <label class="check">
      <input
        {...(name === undefined ? { type: 'checkbox' } : { type: 'radio', name })}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onCheck(event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
