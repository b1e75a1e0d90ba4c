import assert from 'node:assert/strict';
import { test } from 'node:test';

import { conventions } from '../../../../src/domain/bonds/conventions.ts';
import { conventionCodes, defaultConvention, settlementName } from '../facts/conventions.ts';
import { conventionTexts, priceForms } from './convention-texts.ts';

test('the text of each convention says how the service counts by it', () => {
  assert.deepEqual(conventionCodes, Object.keys(conventions));
  assert.equal(defaultConvention, conventionCodes[0]);
  for (const code of conventionCodes) {
    const { time, compounding, accrual, flowsAt, price, parity, settles } = conventions[code];
    const text = conventionTexts[code];
    const says = (part: RegExp, isTrue: boolean) => assert.equal(part.test(text), isTrue, text);
    says(/meses de 30 días/i, time === '30/360');
    says(/días reales sobre 365/i, time === 'act/365');
    says(/tasa anual/, compounding === 1);
    says(/semestral/, compounding === 2);
    says(/días del período/, accrual === 'actual/actual');
    says(/día hábil en que se cobran/, flowsAt === 'payment');
    assert.equal(
      priceForms[code],
      { dirty: 'sucio', clean: 'limpio', 'clean-outstanding': 'limpio, por cada 100 de residual' }[
        price
      ],
    );
    says(/precio sucio/, price === 'dirty');
    says(/precio limpio/, price !== 'dirty');
    says(/por cada 100 de residual/, price === 'clean-outstanding');
    says(/paridad sobre el residual/, parity === 'residual');
    assert.equal(settlementName(code), settles === 'same-day' ? 'CI' : '24hs');
  }
});
