import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOfFile } from './file-name.ts';

test('the name in a file name excludes folders, extensions and the words of usual sites', () => {
  for (const [path, name] of [
    ['GGAL.csv', 'GGAL'],
    ['a/b.csv/GGAL.csv.gz', 'GGAL'],
    ['GGAL.NDJSON', 'GGAL'],
    ['GGAL.BA.csv', 'GGAL.BA'],
    ['GGAL', 'GGAL'],
    ['x/GGAL - Cotizaciones historicas.csv', 'GGAL'],
    ['x/GGAL-cotizaciones históricas (2).csv', 'GGAL'],
    [' DOLAR MEP .txt', 'DOLAR MEP'],
    ['GGAL.xlsx', 'GGAL'],
    ['GGAL (1).csv', 'GGAL'],
    ['AAPL Historical Data.csv', 'AAPL'],
    ['Datos históricos de GGAL.csv', 'GGAL'],
    ['Datos historicos del MERVAL.csv', 'MERVAL'],
    ['Datos histo\u0301ricos - GGAL (3).csv', 'GGAL'],
    ['Dados Históricos - MERVAL.csv', 'MERVAL'],
    ['BINANCE_BTCUSDT, 1D.csv', 'BTCUSDT'],
    ['NASDAQ_AAPL, 1D_b3a5a.csv', 'AAPL.US'],
    ['BCBA_GGAL, D.csv', 'GGAL.BA'],
    ['BCBA_GGAL, 1W.csv', 'BCBA_GGAL, 1W'],
    ['aapl_us_d.csv', 'aapl.US'],
    ['btcusd_d.csv', 'btcusd'],
    ['AAPL_US.csv', 'AAPL_US'],
    ['BTCUSDT-1d-2025-01.zip/BTCUSDT-1d-2025-01.csv', 'BTCUSDT'],
    ['BTCUSDT-1d-2025-01-02.csv', 'BTCUSDT'],
    ['BTCUSDT-1h-2025-01.csv', 'BTCUSDT-1h-2025-01'],
  ] as const) {
    assert.equal(nameOfFile(path), name, path);
  }
});
