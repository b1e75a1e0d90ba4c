import { usePageTitle } from '../ui/use-page-title.ts';

/** The page of an address that leads nowhere. */
export function UnknownPage() {
  usePageTitle('Página desconocida');
  return (
    <div class="page page-narrow stack gap-5">
      <h1>Esta página no existe</h1>
      <p>
        La dirección no lleva a ninguna página. <a href="#/">Ir a la pizarra</a>
      </p>
    </div>
  );
}
