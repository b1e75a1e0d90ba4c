import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { InstrumentInfo } from '../../market/api/quote.ts';
import { termsLines } from './terms-lines.ts';

const info: InstrumentInfo = {
  especie: 'BPOA7',
  nombre: 'BOPREAL Serie 1 A 2027',
  tipo: 'bono',
  mercado: 'BYMA',
  moneda: 'ARS',
  decimales: 5,
  unidadVariacion: 'por-ciento',
};

test('the terms that are known are named, with how certain they are', () => {
  assert.deepEqual(
    termsLines({
      ...info,
      emisor: 'Banco Central de la República Argentina',
      isin: 'AR0684877571',
      ley: 'AR',
      monedaPagos: 'USD',
      opcion: 'rescate del tenedor',
      terminos: 'opcion-en-duda',
      terminosRevisados: '2026-11-26',
      terminosFuentes: 'BCRA, Comunicación B 12703',
    }),
    [
      ['Emisor', 'Banco Central de la República Argentina'],
      ['ISIN', 'AR0684877571'],
      ['Ley', 'Argentina'],
      ['Moneda de los pagos', 'USD'],
      ['Opción', 'rescate del tenedor (no se valúa)'],
      ['Condiciones', 'en duda: opcion'],
      ['Revisadas', '26/11/2026'],
      ['Fuentes', 'BCRA, Comunicación B 12703'],
    ],
  );
});

function certainty(terminos?: string): string | undefined {
  const terms = terminos === undefined ? info : { ...info, terminos };
  return new Map(termsLines(terms)).get('Condiciones');
}

test('terms are certain only if the operator says that they were verified', () => {
  assert.equal(certainty('verificado'), 'verificadas: al menos dos fuentes coinciden');
  assert.equal(certainty('una-fuente'), 'en duda: una fuente');
  assert.equal(certainty(), 'en duda: nadie las verificó');
});
