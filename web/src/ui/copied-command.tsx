import { CopyButton } from './copy-button.tsx';

/** A command of a terminal, with a button that copies it. */
export function CopiedCommand({ text }: { readonly text: string }) {
  return (
    <div class="command">
      <code>{text}</code>
      <CopyButton text={() => text} />
    </div>
  );
}
