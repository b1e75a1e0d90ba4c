import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bondFigures } from '../../../../test/support/market/bond-figures.ts';
import { dependencies, figureLines } from './figure-lines.ts';

function textOf(name: string, bond: Parameters<typeof bondFigures>[0]): string | undefined {
  return figureLines.find((line) => line.name === name)?.text(bondFigures(bond));
}

test('figures have the formats of Argentina: rates and years with two decimals, amounts with four', () => {
  assert.equal(textOf('TIR', { tir: -1.1838 }), '−1,18\u00a0%');
  assert.equal(textOf('TEM', { tem: 0.0437 }), '0,04\u00a0%');
  assert.equal(textOf('Duration modificada', { durationModificada: 1.8454 }), '1,85');
  assert.equal(textOf('Paridad', { paridad: 1101.6967 }), '1.101,70\u00a0%');
  assert.equal(textOf('Valor técnico', { valorTecnico: 64.184 }), '64,1840');
  assert.equal(textOf('Precio', { precio: 93_774, moneda: 'ARS' }), '93.774,00\u00a0ARS');
  assert.equal(textOf('Liquidación', { liquidacion: '2026-11-27' }), '27/11/2026');
});

test('a figure that is missing is a dash', () => {
  for (const [name, bond] of [
    ['TIR', { tir: null }],
    ['Precio', { precio: null }],
    ['Intereses corridos', { interesesCorridos: null }],
  ] as const) {
    assert.equal(textOf(name, bond), '–', name);
  }
});

test('the figures name the price, the dollar and the index on which they depend', () => {
  const plain = { fecha: '2026-11-26', hora: '14:20:14', tipoCambio: null } as const;
  assert.equal(dependencies(bondFigures(plain)), 'el precio del 26/11/2026 a las 14:20:14');
  assert.equal(
    dependencies(bondFigures({ ...plain, hora: null, tipoCambio: 1436.643022 })),
    'el precio del 26/11/2026; el dólar MEP a 1.436,64',
  );
  const indexed = { ...plain, indice: 'CER', fechaIndice: '2026-11-12' } as const;
  assert.match(
    dependencies(bondFigures({ ...indexed, valorIndice: 702.5 })),
    /; el índice CER del 12\/11\/2026 \(702,50\)$/,
  );
  assert.match(
    dependencies(bondFigures(indexed)),
    /; el índice CER del 12\/11\/2026 \(no se conoce\)$/,
  );
});
