/** How usual sites name their downloads. The first group is the name of the instrument. */
const usualNames: readonly RegExp[] = [
  // Rava
  /^(.+?)\s*-\s*cotizaciones\s+hist[óo]ricas.*$/iu,
  // Investing.com in English, Spanish and Portuguese
  /^(.+?)\s+historical\s+data$/iu,
  /^datos\s+hist[oó]ricos(?:\s+del?)?(?:\s*-)?\s+(.+)$/iu,
  /^dados\s+hist[oó]ricos(?:\s+d[eo])?(?:\s*-)?\s+(.+)$/iu,
  // data.binance.vision: the daily bars of a month or of a day
  /^([A-Z0-9]+)-1d-\d{4}-\d{2}(?:-\d{2})?$/,
];

/** The exchanges in the names of TradingView whose symbols are those of a market, with its suffix. */
const markets: Readonly<Record<string, string>> = {
  NASDAQ: '.US',
  NYSE: '.US',
  AMEX: '.US',
  BATS: '.US',
  CBOE: '.US',
  BCBA: '.BA',
  BYMA: '.BA',
};

/**
 * The name of the instrument in the name of a file: without folders, extensions, the number that a browser
 * adds to a second download, and the words of usual sites. A market in the name follows it, as in
 * `AAPL.US` and `GGAL.BA`.
 */
export function nameOfFile(path: string): string {
  const name = path
    .normalize('NFC')
    .replace(/^.*\//s, '')
    .replace(/(?:\.(?:csv|txt|tsv|json|ndjson|jsonl|xlsx|gz))+$/i, '')
    .replace(/\s*\(\d{1,2}\)$/, '')
    .trim();
  for (const pattern of usualNames) {
    const [, instrument] = pattern.exec(name) ?? [];
    if (instrument !== undefined) return instrument.trim();
  }
  return nameOfTradingView(name) ?? nameOfStooq(name) ?? name;
}

/** A symbol of TradingView as other sites write it: `AAPL.US` of `NASDAQ:AAPL`. Undefined for another name. */
export function nameOfExchange(name: string): string | undefined {
  const [, exchange = '', symbol] = /^\s*([A-Z]+):(\S+)\s*$/i.exec(name) ?? [];
  const market = markets[exchange.toUpperCase()];
  return symbol === undefined || market === undefined ? undefined : `${symbol}${market}`;
}

/** `BINANCE_BTCUSDT, 1D` and `NASDAQ_AAPL, 1D_b3a5a`: only daily bars have a name. */
function nameOfTradingView(name: string): string | undefined {
  const [, exchange = '', symbol] = /^([A-Z]+)_([^,]+), 1?D(?:_[0-9a-f]+)?$/i.exec(name) ?? [];
  return symbol === undefined ? undefined : `${symbol}${markets[exchange.toUpperCase()] ?? ''}`;
}

/** `aapl_us_d` and `btcusd_d`, the daily prices of `AAPL.US` and `BTCUSD`. */
function nameOfStooq(name: string): string | undefined {
  const [, symbol, market] = /^([^_]+)(_us)?_d$/i.exec(name) ?? [];
  return symbol === undefined ? undefined : `${symbol}${market === undefined ? '' : '.US'}`;
}
