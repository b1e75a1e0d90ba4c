import { apiKey, isKeyDialogOpen, keyRefusal } from '../key/api-key.ts';
import type { Route } from '../places/route.ts';
import { SearchButton } from './search-button.tsx';
import { ConnectionMark } from '../market/connection-mark.tsx';
import { KeyIcon, MoonIcon, StripIcon, SunIcon, SystemIcon } from '../ui/icons.tsx';
import { KeysButton } from './keys-dialog.tsx';
import { showStrip, strip } from './strip/stored-strip.ts';
import { nextTheme, theme, themeNames, type Theme } from '../ui/preferences.ts';

const themeIcons = { system: SystemIcon, light: SunIcon, dark: MoonIcon };

/** The bar on every page: the pages, the state of the connection, the key and the theme. */
export function TopBar({ page }: { readonly page: Route['page'] }) {
  const isBoard = page === 'board' || page === 'list';
  return (
    <header class="topbar">
      <nav class="topnav" aria-label="Principal">
        <a class="brand" href="#/" aria-current={isBoard ? 'page' : undefined}>
          <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
            <path d="M4 22 12 13l6 5.5L28 7" />
          </svg>
          <span class="brand-name">Pizarra</span>
        </a>
        <a href="#/dolares" aria-current={page === 'dollars' ? 'page' : undefined}>
          Dólares
        </a>
        <a href="#/alertas" aria-current={page === 'alerts' ? 'page' : undefined}>
          Alertas
        </a>
        <a href="#/api" aria-current={page === 'api' ? 'page' : undefined}>
          API
        </a>
      </nav>
      <div class="topbar-end">
        <ConnectionMark />
        <SearchButton />
        <StripButton />
        <KeyButton />
        <ThemeButton />
        <KeysButton />
      </div>
    </header>
  );
}

/** Shows the strip again after it was hidden. Its editor hides it. */
function StripButton() {
  if (strip.value.isShown) return null;
  return (
    <button
      type="button"
      class="bar-button"
      aria-label="Mostrar la tira de cotizaciones"
      title="Mostrar la tira de cotizaciones"
      onClick={() => showStrip(true)}
    >
      <StripIcon />
    </button>
  );
}

function KeyButton() {
  const state =
    apiKey.value === undefined ? 'missing' : keyRefusal.value === undefined ? 'held' : 'refused';
  const text = { missing: 'Ingresar clave', held: 'Clave', refused: 'Clave rechazada' }[state];
  return (
    <button
      type="button"
      class={`bar-button bar-button-${state}`}
      aria-label={text}
      aria-haspopup="dialog"
      onClick={() => {
        isKeyDialogOpen.value = true;
      }}
    >
      <KeyIcon />
      <span class={state === 'held' ? 'wide-only' : ''}>{text}</span>
    </button>
  );
}

const nameOf = (one: Theme) => themeNames[one].toLowerCase();

function ThemeButton() {
  const current = theme.value;
  const Icon = themeIcons[current];
  const label = `Tema ${nameOf(current)}; cambiar a ${nameOf(nextTheme(current))}`;
  return (
    <button
      type="button"
      class="bar-button"
      aria-label={label}
      title={label}
      onClick={() => {
        theme.value = nextTheme(current);
      }}
    >
      <Icon />
    </button>
  );
}
