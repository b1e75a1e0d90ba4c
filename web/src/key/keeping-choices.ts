import type { Keeping } from './api-key.ts';

/** Whether the service runs on the machine of the browser. */
export const isOnThisMachine = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(location.hostname);

/** How long a key may be kept. On the machine of the service, the longest is first. */
export const keepings: readonly Exclude<Keeping, 'page'>[] = isOnThisMachine
  ? ['device', 'tab']
  : ['tab', 'device'];

/** What each choice is called: as an offer, and with its end. */
export const keepingTexts: Readonly<
  Record<Keeping, { readonly offer: string; readonly whole: string }>
> = {
  device: {
    offer: 'Recordarla en este dispositivo',
    whole: 'Recordarla en este dispositivo, hasta olvidarla',
  },
  tab: {
    offer: 'Recordarla en esta pestaña',
    whole: 'Recordarla hasta cerrar esta pestaña',
  },
  page: { offer: 'Ahora no', whole: 'No recordarla: se borra al recargar la página' },
};
