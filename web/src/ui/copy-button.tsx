import { useSignal } from '@preact/signals';

import { Button } from './button.tsx';
import { CopyIcon } from './icons.tsx';

const shownMs = 1_600;

/** Copies a text and shows whether it succeeded. */
export function CopyButton({
  text,
  label = 'Copiar',
  title = label,
  isIcon = false,
}: {
  readonly text: () => string;
  readonly label?: string;
  readonly title?: string;
  /** Whether the button shows only an icon until it is clicked. */
  readonly isIcon?: boolean;
}) {
  const state = useSignal<'idle' | 'done' | 'failed'>('idle');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      state.value = 'done';
    } catch {
      state.value = 'failed';
    }
    setTimeout(() => {
      state.value = 'idle';
    }, shownMs);
  };
  const shown = { idle: label, done: 'Copiado', failed: 'No se pudo copiar' }[state.value];
  return (
    <Button look="small" title={title} onClick={() => void copy()}>
      <CopyIcon />
      <span class={isIcon && state.value === 'idle' ? 'visually-hidden' : ''} aria-live="polite">
        {shown}
      </span>
    </Button>
  );
}

/** A command of a terminal, with a button that copies it. */
export function CopiedCommand({ text }: { readonly text: string }) {
  return (
    <div class="row">
      <code class="whole">{text}</code>
      <CopyButton text={() => text} />
    </div>
  );
}
