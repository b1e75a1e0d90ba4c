import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HorarioDeMercado } from '../../../clients/typescript/src/index.ts';
import { mapMarkets as map } from './read-offered.ts';

const mapMarkets = (rows: readonly object[]) => map(rows as readonly HorarioDeMercado[]);

const row = {
  mercado: 'BYMA',
  nombre: 'Bolsas',
  zona: 'America/Argentina/Buenos_Aires',
  abre: '10:30',
  cierra: '24:00',
  feriados: [{ fecha: '2026-12-25', nombre: 'Navidad' }],
  dias: '1 5',
  horarios: '11:00-17:00;2025-07-28=10:30-24:00',
  cierresAnticipados: '2026-12-24=13:00;2026-12-31=12:59',
  sinLiquidacion: ['2026-12-07'],
};

test('contract 4.6.5: a market has its weekdays, hours, holidays, early closes and days without settlement', () => {
  assert.deepEqual(mapMarkets([row]), [
    {
      code: 'BYMA',
      name: 'Bolsas',
      timeZone: 'America/Argentina/Buenos_Aires',
      weekdays: new Set([1, 5]),
      hours: [
        { openMinute: 660, closeMinute: 1020 },
        { since: '2025-07-28', openMinute: 630, closeMinute: 1440 },
      ],
      holidays: new Map([['2026-12-25', 'Navidad']]),
      unsettled: new Set(['2026-12-07']),
      earlyCloses: new Map([
        ['2026-12-24', 780],
        ['2026-12-31', 779],
      ]),
    },
  ]);
  assert.deepEqual(mapMarkets([{ ...row, cierresAnticipados: '' }])?.[0]?.earlyCloses, new Map());
});

test('rows that no Pizarra sends are no markets', () => {
  for (const wrong of [
    { mercado: 1 },
    { nombre: undefined },
    { zona: null },
    { feriados: {} },
    { feriados: [{ fecha: '2026-02-30', nombre: 'x' }] },
    { feriados: [{ fecha: '2026-02-03', nombre: '' }] },
    { feriados: [null] },
    { dias: '1 8' },
    { dias: '' },
    { horarios: '11:00' },
    { horarios: '11:00-24:01' },
    { horarios: '11:00-17:60' },
    { horarios: 'x=11:00-17:00' },
    { horarios: undefined },
    { dias: undefined },
    { cierresAnticipados: undefined },
    { feriados: undefined },
    { cierresAnticipados: '2026-12-24' },
    { cierresAnticipados: '2026-13-24=13:00' },
    { sinLiquidacion: '2026-12-07' },
    { sinLiquidacion: ['2026-02-30'] },
    { sinLiquidacion: [1] },
  ]) {
    assert.equal(mapMarkets([{ ...row, ...wrong }]), undefined, JSON.stringify(wrong));
  }
  assert.equal(mapMarkets([]), undefined);
});
