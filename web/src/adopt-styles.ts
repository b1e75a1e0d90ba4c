import { isConnecting } from './market/connection.ts';
import { hasEarly } from './market/api/early.ts';
import styles from './styles/index.css?inline';
import typeface from './styles/typeface.css?inline';
import { isSmall } from './ui/screen-size.ts';
import { whenIdleAfter } from './ui/when-idle.ts';

/**
 * Adopts the styles. Nothing is shown without the code, so they are a part of it, and take no request of their
 * own.
 *
 * The first board of a new visitor with a phone gets its typeface after its quotes. Before, it would compete with
 * them on a slow network, and all texts would be laid out twice. Elsewhere, lines would break anew.
 */
export function adoptStyles(): void {
  adopt(styles);
  const adoptTypeface = () => adopt(typeface);
  // A stream that has failed brings no quotes.
  if (hasEarly() && isSmall.peek()) whenIdleAfter(() => !isConnecting.value, adoptTypeface);
  else adoptTypeface();
}

function adopt(text: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}
