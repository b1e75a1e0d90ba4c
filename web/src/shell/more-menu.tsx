import { apiKey, isKeyDialogOpen, keyRefusal } from '../key/api-key.ts';
import { areKeysShown, isBackupOpen, isStripEdited } from '../places/dialogs.ts';
import type { Route } from '../places/route.ts';
import { DownloadIcon, KeyIcon, KeyboardIcon, PlayIcon, StripIcon } from '../ui/icons.tsx';
import { PaletteButton } from '../ui/palette-button.tsx';
import { theme, themeNames, type Theme } from '../ui/preferences.ts';
import { Segments } from '../ui/segments.tsx';
import { PageLink } from './page-link.tsx';

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
    { Icon: KeyIcon, name: keyText(), isOpen: isKeyDialogOpen },
    { Icon: StripIcon, name: 'Tira de cotizaciones', isOpen: isStripEdited },
    { Icon: DownloadIcon, name: 'Respaldo', isOpen: isBackupOpen },
    { Icon: KeyboardIcon, name: 'Teclas', isOpen: areKeysShown },
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
        {rows.map(({ Icon, name, isOpen }) => (
          <li key={name}>
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => {
                onClose();
                isOpen.value = true;
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
