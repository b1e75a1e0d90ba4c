import assert from 'node:assert/strict';
import { appendFile, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { runPizarra, temporaryDirectory } from '../../support/program/program.ts';

const defaultUniverse = resolve(import.meta.dirname, '../../../universe');

test('calcular prints the public fields of a bond at a price, for any of its classes', async () => {
  await using directory = await temporaryDirectory();
  const { path: cwd } = directory;
  const at = ['--precio', '60.84', '--fecha', '2026-03-03', '--convencion', 'bonarg'];
  const json = await runPizarra(['bonos', 'calcular', 'al30c', ...at, '--json'], { cwd });
  assert.deepEqual([json.code, json.stderr], [0, '']);
  const { fecha, ...fields } = JSON.parse(json.stdout) as Record<string, unknown>;
  assert.match(String(fecha), /^\d{4}-\d\d-\d\d$/);
  assert.deepEqual(fields, {
    especie: 'AL30C',
    hora: null,
    liquidacion: '2026-03-03',
    precio: 60.84,
    moneda: 'USD',
    tipoCambio: null,
    tir: 8.8562,
    tna: 8.8562,
    tem: 0.7148,
    duration: 2.2024,
    durationModificada: 2.109,
    convexidad: 6.9658,
    valorTecnico: 72.081,
    interesesCorridos: 0.081,
    residual: 72,
    paridad: 84.5,
    vencimiento: '2030-07-09',
    indice: null,
    fechaIndice: null,
    valorIndice: null,
    supuesto: null,
    estado: 'ok',
  });
  const text = await runPizarra(['bonos', 'calcular', 'AL30', ...at], { cwd });
  assert.match(text.stdout, /^tir +8\.8562$/m);
  assert.match(text.stdout, /^supuesto +-$/m);
});

test('without the value of its index, a bond has no yield, and a coefficient takes its place', async () => {
  await using directory = await temporaryDirectory();
  const { path: cwd } = directory;
  const at = ['bonos', 'calcular', 'TZX28', '--precio', '183.2', '--fecha', '2024-11-23'];
  const without = await runPizarra([...at, '--json'], { cwd });
  const fields = JSON.parse(without.stdout) as Record<string, unknown>;
  assert.deepEqual([without.code, fields['estado'], fields['tir']], [0, 'sin-indice', null]);
  assert.equal(fields['fechaIndice'], '2024-11-08');
  assert.match(without.stderr, /The store has no CER of 2024-11-08\./);
  const given = await runPizarra(
    [...at, '--coeficiente', '2.4635', '--convencion', 'screenermatic', '--json'],
    { cwd },
  );
  const { tir, estado } = JSON.parse(given.stdout) as Record<string, unknown>;
  assert.equal(estado, 'ok');
  assert.ok(Math.abs(Number(tir) - 8.57) < 0.0075, String(tir));
});

test('flujos lists the payments from a day on', async () => {
  await using directory = await temporaryDirectory();
  const { path: cwd } = directory;
  const command = ['bonos', 'flujos', 'GD30D', '--desde', '2030-01-01'];
  const { code, stdout } = await runPizarra([...command, '--json'], { cwd });
  assert.equal(code, 0);
  const row = { interes: 0.14, amortizacion: 8, total: 8.14, residual: 8, ajustado: 8.14 };
  const last = { interes: 0.07, amortizacion: 8, total: 8.07, residual: 0, ajustado: 8.07 };
  assert.deepEqual(JSON.parse(stdout), [
    { fecha: '2030-01-09', pago: '2030-01-09', ...row },
    { fecha: '2030-07-09', pago: '2030-07-09', ...last },
  ]);
});

test('a ticker that is unknown or has no terms, and an option that cannot be read, are explained', async () => {
  await using directory = await temporaryDirectory();
  const { path: cwd } = directory;
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['NOHAY', '--precio', '1'], /The universe has no instrument NOHAY\./],
    [['PAP0', '--precio', '1'], /no terms of PAP0\. Add a row to .*bonds\.csv/],
    [['AL30', '--precio', 'caro'], /Valid: a number such as 60\.84\./],
    [['AL30', '--precio', '60,84'], /Valid: a number such as 60\.84\./],
    [['AL30', '--precio', '60', '--fecha', '2026-02-30'], /Valid: a day such as/],
    [['AL30', '--precio', '60', '--convencion', 'otra'], /Allowed choices are pizarra, screener/],
    [['AL30', '--precio', '60', '--coeficiente', '0'], /Valid: a number above zero/],
    [['AL30'], /required option '--precio <P>' not specified/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runPizarra(['bonos', 'calcular', ...args], { cwd });
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, message);
  }
});

test('flujos explains a ticker and a day that it cannot use, and what it lacks of the index', async () => {
  await using directory = await temporaryDirectory();
  const { path: cwd } = directory;
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['NOHAY'], /The universe has no instrument NOHAY/],
    [['GGAL'], /no terms of GGAL\. Only bonds, corporate bonds and bills have terms/],
    [['AL30', '--desde', 'ayer'], /Valid: a day such as/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runPizarra(['bonos', 'flujos', ...args], { cwd });
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, message);
  }
  const { code, stdout, stderr } = await runPizarra(['bonos', 'flujos', 'PARP', '--json'], { cwd });
  assert.equal(code, 0);
  const rows = JSON.parse(stdout) as readonly Record<string, unknown>[];
  assert.ok(rows.length > 0 && rows.every(({ ajustado, total }) => ajustado === null && total));
  assert.match(stderr, /^The store has no CER of \d{4}-\d\d-\d\d\. Fetch it/);
  const past = await runPizarra(['bonos', 'flujos', 'AL30', '--desde', '2040-01-01', '--json'], {
    cwd,
  });
  assert.deepEqual([past.code, past.stdout, past.stderr], [0, '[]\n', '']);
});

test('bonos check accepts the default universe and one without terms, and lists every fault', async () => {
  await using directory = await temporaryDirectory();
  const own = join(directory.path, 'own');
  await cp(defaultUniverse, own, { recursive: true });
  const file = join(own, 'bonds.csv');
  const sound = await runPizarra(['bonos', 'check', own], { cwd: directory.path });
  assert.deepEqual([sound.code, sound.stderr], [0, '']);
  assert.match(sound.stdout, /terms of 59 issues; no faults\./);

  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('2024-07-09=4;', '2024-07-10=4;'));
  await appendFile(file, 'NOHAY,,,,2026-01-01,2027-01-01,ARS,,,,,,,,,,,2,,,,,,\n');
  const wrong = await runPizarra(['bonos', 'check', own], { cwd: directory.path });
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /bonds\.csv:3:13: "2024-07-10": amortizacion: is not a coupon date/);
  assert.match(wrong.stderr, /bonds\.csv:61:1: "NOHAY": especie: unknown instrument/);

  // A file that was cut within a row. Within the last cell, nothing but the missing line break shows it.
  await writeFile(file, text.slice(0, text.lastIndexOf('2030-03-01')));
  const cut = await runPizarra(['bonos', 'check', own], { cwd: directory.path });
  assert.equal(cut.code, 1);
  assert.match(cut.stderr, /bonds\.csv:60: "BB37D": the file ends within this row, after 13 of 24/);
  await writeFile(file, text.slice(0, -5));
  const shorter = await runPizarra(['bonos', 'check', own], { cwd: directory.path });
  assert.match(shorter.stdout, /^WARN +end of file +bonds\.csv does not end with a line break/m);

  // Without terms, with the file or without it, nothing is wrong. An empty file is.
  await writeFile(file, 'especie,emision,vencimiento,moneda\n');
  const empty = await runPizarra(['bonos', 'check', own], { cwd: directory.path });
  assert.deepEqual([empty.code, empty.stderr], [0, '']);
  assert.match(
    empty.stdout,
    /terms of 0 issues; no faults\.\nfine +bonds +The universe has no terms/,
  );
  await rm(file);
  const none = await runPizarra(['bonos', 'check', own], { cwd: directory.path });
  assert.deepEqual([none.code, none.stdout], [0, empty.stdout]);
  await writeFile(file, '');
  const blank = await runPizarra(['bonos', 'check', own], { cwd: directory.path });
  assert.equal(blank.code, 1);
  assert.match(
    blank.stderr,
    /bonds\.csv:1: the file has no header; its first line must name especie/,
  );
});
