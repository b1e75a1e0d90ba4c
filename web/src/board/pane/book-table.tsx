import type { Quote } from '../../market/api/quote.ts';
import { decimalsOf } from '../../market/columns.ts';
import { formatPercent, formatPrice, formatVolume } from '../../market/format/numbers.ts';
import { spreadOf } from './spread.ts';

/** The best bid and offer of an instrument, with their sizes where the source has them. */
export function BookTable({ quote }: { readonly quote: Quote }) {
  const { compra, venta, cantCompra, cantVenta } = quote;
  if (compra === undefined && venta === undefined) {
    return <p class="hint">Sin puntas: no hay órdenes, o la fuente no las informa.</p>;
  }
  const decimals = decimalsOf(quote);
  const spread = spreadOf(quote);
  const hasSizes = cantCompra !== undefined || cantVenta !== undefined;
  return (
    <table class="book">
      <caption class="visually-hidden">Puntas</caption>
      <thead>
        <tr>
          {hasSizes && <th scope="col">Cantidad</th>}
          <th scope="col">Compra</th>
          <th scope="col">Venta</th>
          {hasSizes && <th scope="col">Cantidad</th>}
        </tr>
      </thead>
      <tbody>
        <tr>
          {hasSizes && <td>{formatVolume(cantCompra)}</td>}
          <td class="book-price">{formatPrice(compra, decimals)}</td>
          <td class="book-price">{formatPrice(venta, decimals)}</td>
          {hasSizes && <td>{formatVolume(cantVenta)}</td>}
        </tr>
      </tbody>
      {spread !== undefined && (
        <tfoot>
          <tr>
            <td colSpan={hasSizes ? 4 : 2}>
              {spread.value < 0
                ? 'Puntas cruzadas, como en una subasta'
                : `Diferencia ${formatPrice(spread.value, decimals)}${
                    spread.percent === undefined ? '' : ` (${formatPercent(spread.percent)})`
                  }`}
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}
