import { firstRequests } from './first-requests.ts';
import { canBeKey, keyInFragment } from './key/key-form.ts';
import { sendEarly } from './market/api/early.ts';

// This script is in the page itself (`web/build/inline-early-script.ts`). It begins what the code of the page
// would begin too late, while the browser loads that code.

/** The screens of some sizes that the styles name. The build takes them from there. */
declare const screens: { readonly split: string; readonly small: string };
/** The address of the typeface. The build knows it. */
declare const typeface: string;

const key = keyInFragment(location.hash);
const isFirst = key !== undefined && canBeKey(key) && !hasChoices();
if (isFirst) {
  // A new visitor opens a printed link: quotes and code arrive together.
  const isSplit = matchMedia(screens.split).matches;
  for (const one of firstRequests(key, isSplit)) sendEarly(...one);
}
// The first board of a phone gets its typeface after its quotes (`adopt-styles.ts`).
if (!isFirst || !matchMedia(screens.small).matches) preloadTypeface();

/**
 * Whether this browser may have stored another strip, other columns or another panel. The first look at a storage
 * takes long, so it is good that it comes before that of the code.
 */
function hasChoices(): boolean {
  try {
    return localStorage.length + sessionStorage.length > 0;
  } catch {
    return false;
  }
}

function preloadTypeface(): void {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '' });
  link.href = typeface;
  document.head.append(link);
}
