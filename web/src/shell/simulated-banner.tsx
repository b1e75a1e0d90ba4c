import { isSimulated } from '../market/health-watch.ts';

/** Says on every page that the prices are made up, as long as they are. */
export function SimulatedBanner() {
  if (!isSimulated.value) return null;
  return (
    <div class="simulated" role="note">
      <strong>Demostración</strong>
      <span>
        Los precios son simulados.{' '}
        <span class="wide-only">No provienen del mercado y no sirven para operar.</span>
      </span>
    </div>
  );
}
