import { outage } from '../market/health-watch.ts';
import { outageText } from '../market/outage-text.ts';

/** Says on every page that no source gives prices, and why, or which sources stopped, as long as that is so. */
export function OutageBanner() {
  const text = outageText();
  if (text === undefined) return null;
  return (
    <div class="outage" role="alert">
      <strong>{text}</strong>
      {outage.value !== undefined && (
        <span class="wide-only">Se muestran los últimos precios conocidos, si los hay.</span>
      )}
    </div>
  );
}
