import assert from 'node:assert/strict';
import { test } from 'node:test';

import { settlementName } from '../facts/conventions.ts';
import { conventionText, priceForm } from './convention-texts.ts';

test('the text of a convention says how the service counts by it', () => {
  assert.equal(
    conventionText('pizarra'),
    'Días reales sobre 365, tasa anual, pagos en el día hábil en que se cobran, precio sucio.',
  );
  assert.equal(
    conventionText('bloomberg'),
    'Meses de 30 días, tasa de capitalización semestral, pagos en su fecha contractual, precio limpio por cada 100 de residual.',
  );
  assert.match(conventionText('ecovalores'), /intereses según los días del período/);
  assert.match(conventionText('bonarg'), /precio limpio, paridad sobre el residual\.$/);
  assert.match(conventionText('bonistas'), /duration modificada con media tasa\.$/);
  assert.equal(priceForm('bonarg'), 'limpio');
  assert.deepEqual([settlementName('pizarra'), settlementName('tablero')], ['24hs', 'CI']);
});
