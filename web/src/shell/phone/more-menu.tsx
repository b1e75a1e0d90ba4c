import type { ComponentChildren } from 'preact';

import { apiKey, isKeyDialogOpen, keyRefusal } from '../../key/api-key.ts';
import { openBackup } from '../../backup/backup-dialog.tsx';
import type { Route } from '../../places/route.ts';
import { DownloadIcon, KeyIcon, KeyboardIcon, PlayIcon, StripIcon } from '../../ui/icons.tsx';
import { PaletteButton } from '../../ui/palette-button.tsx';
import { theme, themeNames, type Theme } from '../../ui/preferences.ts';
import { Segments } from '../../ui/segments.tsx';
import { SheetEnd } from '../../ui/phone/sheet.tsx';
import { openKeys } from '../keys-dialog.tsx';
import { isStripEdited } from '../strip/quote-strip.tsx';

const themes = Object.entries(themeNames).map(([value, name]) => ({ value: value as Theme, name }));

/** What the bottom bar of a phone has no room for: further pages, the key and the appearance. */
export function MoreMenu({
  page,
  onClose,
}: {
  readonly page: Route['page'];
  readonly onClose: () => void;
}) {
  const openInstead = (open: () => void) => () => {
    onClose();
    open();
  };
  return (
    <>
      <ul class="more-list">
        <MoreLink href="#/api" isCurrent={page === 'api'} onClick={onClose}>
          <PlayIcon />
          API
        </MoreLink>
        <MoreButton onClick={openInstead(() => (isKeyDialogOpen.value = true))}>
          <KeyIcon />
          {keyText()}
        </MoreButton>
        <MoreButton onClick={openInstead(() => (isStripEdited.value = true))}>
          <StripIcon />
          Tira de cotizaciones
        </MoreButton>
        <MoreButton onClick={openInstead(openBackup)}>
          <DownloadIcon />
          Respaldo
        </MoreButton>
        <MoreButton onClick={openInstead(openKeys)}>
          <KeyboardIcon />
          Teclas
        </MoreButton>
      </ul>
      <Segments
        label="Tema"
        choices={themes}
        chosen={theme.value}
        onChoose={(chosen) => {
          theme.value = chosen;
        }}
      />
      <PaletteButton />
      <SheetEnd onClose={onClose} />
    </>
  );
}

function keyText(): string {
  if (apiKey.value === undefined) return 'Ingresar la clave';
  return keyRefusal.value === undefined ? 'Clave de acceso' : 'Clave rechazada: ingresar otra';
}

function MoreLink({
  href,
  isCurrent,
  onClick,
  children,
}: {
  readonly href: string;
  readonly isCurrent: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <li>
      <a href={href} aria-current={isCurrent ? 'page' : undefined} onClick={onClick}>
        {children}
      </a>
    </li>
  );
}

function MoreButton({
  onClick,
  children,
}: {
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <li>
      <button type="button" aria-haspopup="dialog" onClick={onClick}>
        {children}
      </button>
    </li>
  );
}
