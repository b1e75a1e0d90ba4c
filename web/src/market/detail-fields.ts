/** The fields on request of an instrument that is looked at by itself: its book and its traded amount. */
export const detailFields = ['compra', 'venta', 'cantCompra', 'cantVenta', 'monto'] as const;
