import { computed, effect, signal, type Signal } from '@preact/signals';

import { browserStorage, put } from './browser-storage.ts';

const store = browserStorage('localStorage');
const themes = ['system', 'light', 'dark'] as const;

/** The appearance of the pages. The browser stores it. */
export type Theme = (typeof themes)[number];

export const themeNames: Readonly<Record<Theme, string>> = {
  system: 'Del sistema',
  light: 'Claro',
  dark: 'Oscuro',
};

export const theme = preference<Theme>('pizarra.theme', themes);

const palettes = ['usual', 'safe'] as const;

/** The colours of rises and falls: green and red, or blue and orange, which people see who do not see red or green. */
export const palette = preference<(typeof palettes)[number]>('pizarra.palette', palettes);

/** Whether the page is being printed. Paper has light colours. */
export const isPrinted = signal(false);

/** The theme that the page shows. */
export const shownTheme = computed((): Theme => (isPrinted.value ? 'light' : theme.value));

/** Applies the theme and the palette to the document, now and after each change. */
export function applyTheme(): void {
  effect(() => {
    const { dataset } = document.documentElement;
    dataset['theme'] = shownTheme.value;
    dataset['palette'] = palette.value;
  });
}

/** The next theme, for a button that cycles through the themes. */
export function nextTheme(current: Theme): Theme {
  return themes[(themes.indexOf(current) + 1) % themes.length] ?? 'system';
}

/** A choice that the browser stores under a name. The first value is the default. */
export function preference<T extends string>(
  name: string,
  values: readonly [T, ...T[]],
): Signal<T> {
  const kept = store.getItem(name);
  const value = signal(values.find((one) => one === kept) ?? values[0]);
  effect(() => void put(store, name, value.value));
  return value;
}
