import { alpacaType } from '../../feeds/alpaca/index.ts';
import { argentinadatosType } from '../../feeds/argentinadatos/index.ts';
import { bcraType } from '../../feeds/bcra/index.ts';
import { binanceType } from '../../feeds/binance/index.ts';
import { bymaType } from '../../feeds/byma/index.ts';
import { cnbcType } from '../../feeds/cnbc/index.ts';
import { criptoyaType } from '../../feeds/criptoya/index.ts';
import { data912Type } from '../../feeds/data912/index.ts';
import { dolarapiType } from '../../feeds/dolarapi/index.ts';
import type { FeedType } from '../../feeds/contract/feed-type.ts';
import { httpType } from '../../feeds/http/index.ts';
import { krakenType } from '../../feeds/kraken/index.ts';
import { pizarraType } from '../../feeds/pizarra/index.ts';
import { primaryType } from '../../feeds/primary/index.ts';
import { pushType } from '../../feeds/push/index.ts';
import { createReplayType } from '../../feeds/replay/index.ts';
import { simulatedType } from '../../feeds/simulated/index.ts';
import { yahooType } from '../../feeds/yahoo/index.ts';

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
