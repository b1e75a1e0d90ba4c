/** Turns the rows of a series into columns. */
export function historyColumns(rows) {
    return {
        fecha: rows.map(({ fecha }) => fecha),
        ultimo: column(rows, 'ultimo'),
        apertura: column(rows, 'apertura'),
        maximo: column(rows, 'maximo'),
        minimo: column(rows, 'minimo'),
        volumen: column(rows, 'volumen'),
    };
}
function column(rows, field) {
    return Float64Array.from(rows, (row) => row[field] ?? Number.NaN);
}
//# sourceMappingURL=columns.js.map