import type { ComponentChildren } from 'preact';

/** A control with its name above it, and below it what it means now. */
export function Field({
  id,
  label,
  hint,
  children,
}: {
  /** The identifier of the control. */
  readonly id: string;
  readonly label: string;
  /** An empty text keeps its room. */
  readonly hint?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="field stack gap-2">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && <span class="hint">{hint}</span>}
    </div>
  );
}
