import { signal } from '@preact/signals';
import type { FunctionComponent, JSX } from 'preact';
import { useEffect } from 'preact/hooks';

import { Button } from './button.tsx';

/** A component whose code is not part of the first download. */
export interface LazyComponent<Props> extends FunctionComponent<Props> {
  /** Loads the code before the component is shown. A further call tries again what has failed. */
  readonly load: () => Promise<void>;
}

/**
 * A component whose code is loaded when it is first shown, if not before.
 *
 * What has failed is tried again when the component is shown again. A page that was opened before an upgrade
 * of the service does not find the code, because its name has changed: only a reload gives the new names. The
 * user decides about it, because a reload deletes a key that the page was not told to remember.
 *
 * @param read loads the module, and returns the component.
 * @param pending is shown until then.
 */
export function lazy<Props extends object>(
  read: () => Promise<FunctionComponent<Props>>,
  pending: JSX.Element | null = <p class="page page-narrow">Cargando…</p>,
): LazyComponent<Props> {
  const loaded = signal<FunctionComponent<Props> | 'failed' | undefined>(undefined);
  let loading: Promise<void> | undefined;
  const readNow = async () => {
    try {
      loaded.value = await read();
    } catch {
      loaded.value = 'failed';
      loading = undefined;
    }
  };
  const load = () => (loading ??= readNow());
  const Lazy = (props: Props) => {
    useEffect(() => void load(), []);
    const { value: Loaded } = loaded;
    if (Loaded === 'failed') return <NotLoaded />;
    return Loaded === undefined ? pending : <Loaded {...props} />;
  };
  return Object.assign(Lazy, { load });
}

function NotLoaded() {
  return (
    <div class="notice notice-bad page page-narrow stack" role="alert">
      <p>
        Esta parte de la página no se pudo cargar: el servicio no responde o tiene una versión
        nueva.
      </p>
      <Button onClick={() => location.reload()}>Recargar la página</Button>
    </div>
  );
}
