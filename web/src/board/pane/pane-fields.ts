/** The fields of the book in the pane, which quotes have only if they are requested. */
export const paneFields = ['compra', 'venta', 'cantCompra', 'cantVenta'] as const;
