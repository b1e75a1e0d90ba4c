import type { Instrument, InstrumentKind } from '../domain/instruments/instrument.ts';
import { parseTicker, tickerKey } from '../domain/instruments/ticker.ts';

/** What a depositary receipt represents, where that is known. */
type Receipt = Pick<Instrument, 'ratio' | 'underlying'>;

const ratioShape = /^[1-9]\d{0,5}:[1-9]\d{0,5}$/;

/** Reads the two cells of a depositary receipt. Both may be empty; those of other kinds must be. */
export function readReceipt(
  cells: {
    readonly ticker: string;
    readonly kind: InstrumentKind;
    readonly ratio: string;
    readonly underlying: string;
  },
  wrong: (column: 'ratio' | 'underlying', value: string, message: string) => void,
): Receipt {
  const { ticker, kind, ratio, underlying } = cells;
  const isReceipt = kind === 'cedear' || kind === 'adr';
  const noReceipt = 'only a cedear or an adr has this cell; leave it empty';
  if (ratio !== '') {
    if (!isReceipt) wrong('ratio', ratio, noReceipt);
    else if (!ratioShape.test(ratio)) {
      wrong('ratio', ratio, 'not a valid ratio; use receipts:shares, such as 20:1');
    }
  }
  if (underlying !== '') {
    if (!isReceipt) wrong('underlying', underlying, noReceipt);
    else if (parseTicker(underlying) === undefined) {
      wrong('underlying', underlying, 'not a valid ticker; leave the cell empty if it is unknown');
    } else if (tickerKey(underlying) === tickerKey(ticker)) {
      wrong('underlying', underlying, 'an instrument cannot be its own underlying');
    }
  }
  return {
    ...(ratio === '' ? {} : { ratio }),
    ...(underlying === '' ? {} : { underlying }),
  };
}
