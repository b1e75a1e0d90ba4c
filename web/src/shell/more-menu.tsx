import { apiKey, isKeyDialogOpen, keyRefusal } from '../key/api-key.ts';
import { openBackup } from '../backup/backup-dialog.tsx';
import type { Route } from '../places/route.ts';
import { DownloadIcon, KeyIcon, KeyboardIcon, PlayIcon, StripIcon } from '../ui/icons.tsx';
import { PaletteButton } from '../ui/palette-button.tsx';
import { theme, themeNames, type Theme } from '../ui/preferences.ts';
import { Segments } from '../ui/segments.tsx';
import { PageLink } from './page-link.tsx';
import { openKeys } from './keys-dialog.tsx';
import { isStripEdited } from './strip/quote-strip.tsx';

const themes = Object.entries(themeNames).map(([value, name]) => ({ value: value as Theme, name }));

/** What the bottom bar of a phone has no room for: further pages, the key and the appearance. */
export function MoreMenu({
  page,
  onClose,
}: {
  readonly page: Route['page'];
  readonly onClose: () => void;
}) {
  const rows = [
    { Icon: KeyIcon, name: keyText(), open: () => (isKeyDialogOpen.value = true) },
    { Icon: StripIcon, name: 'Tira de cotizaciones', open: () => (isStripEdited.value = true) },
    { Icon: DownloadIcon, name: 'Respaldo', open: openBackup },
    { Icon: KeyboardIcon, name: 'Teclas', open: openKeys },
  ];
  return (
    <>
      <ul class="more-list choices">
        <li>
          <PageLink to="api" page={page} onClick={onClose}>
            <PlayIcon />
            API
          </PageLink>
        </li>
        {rows.map(({ Icon, name, open }) => (
          <li key={name}>
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => {
                onClose();
                open();
              }}
            >
              <Icon />
              {name}
            </button>
          </li>
        ))}
      </ul>
      <Segments
        label="Tema"
        choices={themes}
        chosen={theme.value}
        onChoose={(chosen) => (theme.value = chosen)}
      />
      <PaletteButton />
    </>
  );
}

function keyText(): string {
  if (apiKey.value === undefined) return 'Ingresar la clave';
  return keyRefusal.value === undefined ? 'Clave de acceso' : 'Clave rechazada: ingresar otra';
}
