import { Bonds } from '../../../src/domain/bonds/bonds.ts';
import { noIndices } from '../../../src/domain/indices/index-series.ts';
import { BondPayments } from '../../../src/http/history/bond-payments.ts';
import { makeUniverse } from './make-universe.ts';

const universe = makeUniverse([]);

/** The payments of a universe without bonds. */
export const noPayments = new BondPayments({
  universe,
  bonds: new Bonds(universe),
  indices: () => noIndices,
});
