import { signal, type Signal } from '@preact/signals';

import { instruments } from '../market/instruments.ts';
import { formatRoute, instrumentRoute } from '../places/route.ts';
import { preference } from '../ui/preferences.ts';
import type { Alert, Crossing } from '../market/alerts/alert.ts';
import { crossingText, firedText } from '../market/alerts/alert-texts.ts';

/** Whether the browser shows notifications of this page. */
export type Permission =
  | NotificationPermission
  /** The browser has no notifications, or none for a page without TLS. */
  | 'unavailable';

let known: Signal<Permission> | undefined;

/** The present permission. It is read when it is first needed, because a browser takes long to tell it. */
export function permission(): Signal<Permission> {
  known ??= signal(readPermission());
  return known;
}

/** Asks the user for notifications, as the reaction to a click. */
export async function askPermission(): Promise<void> {
  if (permission().value === 'unavailable') return;
  await Notification.requestPermission();
  permission().value = readPermission();
}

/** Whether an alert that fires makes a sound. */
export const sound = preference<'off' | 'on'>('pizarra.alert-sound', ['off', 'on']);

let audio: AudioContext | undefined;

/** Plays two short tones. A browser without sound, or whose page was not clicked yet, stays silent. */
export function playSound(): void {
  try {
    audio ??= new AudioContext();
    void audio.resume();
    const start = audio.currentTime;
    for (const [at, hertz] of [880, 1320].entries()) {
      const [tone, volume] = [audio.createOscillator(), audio.createGain()];
      const from = start + at * 0.18;
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(0.15, from);
      volume.gain.exponentialRampToValueAtTime(0.001, from + 0.35);
      tone.connect(volume).connect(audio.destination);
      tone.start(from);
      tone.stop(from + 0.35);
    }
  } catch {
    // The notice on the page is there in any case.
  }
}

/** Announces that an alert fired: with a sound if the user chose it, and a notification if the user allowed it. */
export function notify(alert: Alert, crossed: Crossing): void {
  if (sound.peek() === 'on') playSound();
  // The user may have allowed it in another tab.
  permission().value = readPermission();
  if (permission().peek() !== 'granted') return;
  const info = instruments.value.get(alert.ticker);
  try {
    const options = {
      body: crossingText(alert.kind, crossed, info),
      // Another tab that announces the same crossing replaces this notification.
      tag: `pizarra.${alert.id}`,
    };
    const notification = new Notification(firedText(alert, info), options);
    notification.addEventListener('click', () => {
      window.focus();
      location.hash = formatRoute(instrumentRoute(alert.ticker));
      notification.close();
    });
  } catch {
    // Browsers of phones refuse notifications of a page without a service worker.
    permission().value = 'unavailable';
  }
}

function readPermission(): Permission {
  return isSecureContext && 'Notification' in window ? Notification.permission : 'unavailable';
}
