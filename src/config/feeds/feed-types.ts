import { alpacaType } from '../../feeds/sources/alpaca.ts';
import { argentinadatosType } from '../../feeds/sources/argentinadatos.ts';
import { bcraType } from '../../feeds/sources/bcra.ts';
import { binanceType } from '../../feeds/sources/binance.ts';
import { bymaType } from '../../feeds/sources/byma.ts';
import { cnbcType } from '../../feeds/sources/cnbc.ts';
import { criptoyaType } from '../../feeds/sources/criptoya.ts';
import { data912Type } from '../../feeds/sources/data912.ts';
import { dolarapiType } from '../../feeds/sources/dolarapi.ts';
import type { FeedType } from '../../feeds/contract/feed-type.ts';
import { httpType } from '../../feeds/http/index.ts';
import { krakenType } from '../../feeds/sources/kraken.ts';
import { pizarraType } from '../../feeds/pizarra/index.ts';
import { primaryType } from '../../feeds/sources/primary.ts';
import { pushType } from '../../feeds/push/index.ts';
import { createReplayType } from '../../feeds/replay/index.ts';
import { simulatedType } from '../../feeds/simulated/index.ts';
import { yahooType } from '../../feeds/sources/yahoo.ts';

/** The types that connect to a source. A new source needs one line here. */
export const networkTypes: readonly FeedType[] = [
  alpacaType,
  argentinadatosType,
  bcraType,
  binanceType,
  bymaType,
  cnbcType,
  criptoyaType,
  data912Type,
  dolarapiType,
  httpType,
  krakenType,
  pizarraType,
  primaryType,
  yahooType,
];

/** All types of feeds. */
export const feedTypes: readonly FeedType[] = [
  pushType,
  createReplayType(networkTypes),
  simulatedType,
  ...networkTypes,
];
