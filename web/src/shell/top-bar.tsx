import { apiKey, isKeyDialogOpen, keyRefusal } from '../key/api-key.ts';
import type { Route } from '../places/route.ts';
import { SearchButton } from './search-dialog.tsx';
import { ConnectionMark } from '../market/connection-mark.tsx';
import { KeyIcon, MoonIcon, StripIcon, SunIcon, SystemIcon } from '../ui/icons.tsx';
import { PageLink } from './page-link.tsx';
import { Button } from '../ui/button.tsx';
import { areKeysShown } from '../places/dialogs.ts';
import { changeStrip, strip } from './strip/stored-strip.ts';
import { nextTheme, theme, themeNames, type Theme } from '../ui/preferences.ts';

const themeIcons = { system: SystemIcon, light: SunIcon, dark: MoonIcon };

/** The bar on every page: the pages, the state of the connection, the key and the theme. */
export function TopBar({ page }: { readonly page: Route['page'] }) {
  return (
    <header class="topbar screen-only on-bar row whole">
      <nav class="topnav scroller" aria-label="Principal">
        <PageLink to="board" page={page} class="brand">
          <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
            <path d="M4 22 12 13l6 5.5L28 7" />
          </svg>
          <span class="roomy-only">Pizarra</span>
        </PageLink>
        <PageLink to="dollars" page={page}>
          Dólares
        </PageLink>
        <PageLink to="alerts" page={page}>
          Alertas
        </PageLink>
        <PageLink to="api" page={page}>
          API
        </PageLink>
      </nav>
      <div class="topbar-end row gap-3">
        <ConnectionMark />
        <SearchButton />
        <StripButton />
        <KeyButton />
        <ThemeButton />
        <Button
          look="bar"
          class="wide-only"
          aria-label="Teclas"
          aria-haspopup="dialog"
          title="Teclas (?)"
          onClick={() => (areKeysShown.value = true)}
        >
          <span aria-hidden="true">?</span>
        </Button>
      </div>
    </header>
  );
}

/** Shows the strip again after it was hidden. Its editor hides it. */
function StripButton() {
  if (strip.value.isShown) return null;
  const text = 'Mostrar la tira de cotizaciones';
  return (
    <Button
      look="bar"
      aria-label={text}
      title={text}
      onClick={() => changeStrip({ isShown: true })}
    >
      <StripIcon />
    </Button>
  );
}

function KeyButton() {
  const state =
    apiKey.value === undefined ? 'missing' : keyRefusal.value === undefined ? 'held' : 'refused';
  const text = { missing: 'Ingresar clave', held: 'Clave', refused: 'Clave rechazada' }[state];
  return (
    <Button
      look="bar"
      class={`bar-button-${state}`}
      aria-label={text}
      aria-haspopup="dialog"
      onClick={() => (isKeyDialogOpen.value = true)}
    >
      <KeyIcon />
      <span class={state === 'held' ? 'wide-only' : 'roomy-only'}>{text}</span>
    </Button>
  );
}

const nameOf = (one: Theme) => themeNames[one].toLowerCase();

function ThemeButton() {
  const next = nextTheme(theme.value);
  const Icon = themeIcons[theme.value];
  const label = `Tema ${nameOf(theme.value)}; cambiar a ${nameOf(next)}`;
  return (
    <Button look="bar" aria-label={label} title={label} onClick={() => (theme.value = next)}>
      <Icon />
    </Button>
  );
}
