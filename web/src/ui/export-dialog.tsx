import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { Exported } from './export-form.tsx';
import { DownloadIcon } from './icons.tsx';
import { lazy } from './lazy.tsx';

// Few visitors export, and the code that writes CSV is as large as a page.
const ExportForm = lazy(async () => (await import('./export-form.tsx')).ExportForm);

/** A button that opens a dialog to save a table, with the form of its numbers. */
export function ExportButton({
  title,
  children,
  ...exported
}: Exported & { readonly title: string; readonly children: ComponentChildren }) {
  const isOpen = useSignal(false);
  return (
    <>
      <Button
        look="small"
        title={title}
        aria-haspopup="dialog"
        onClick={() => (isOpen.value = true)}
      >
        <DownloadIcon />
        {children}
      </Button>
      <Dialog title={title} isOpen={isOpen}>
        <ExportForm {...exported} onDone={() => (isOpen.value = false)} />
      </Dialog>
    </>
  );
}
