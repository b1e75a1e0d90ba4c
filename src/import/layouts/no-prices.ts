import { foldHeading } from './headings.ts';

/** What values are by their words in English, Spanish and Portuguese, without accents, if they are no prices. */
const noPrices: readonly {
  readonly words: RegExp;
  readonly what: string;
  /** Whether an instrument of a rate or a spread may have such values. */
  readonly isRate?: true;
}[] = [
  {
    words: word`(?:log )?(?:returns?|ret)|retornos?|rendim(?:i?ento)s?|rentabilidad(?:e|es)?|variac(?:ion|iones|ao|oes)|variation|var|changes?|pct|percent(?:age)?|porcentajes?|chg|drawdowns?`,
    what: 'returns or changes',
  },
  {
    words: word`tir|ytm|ytw|irr|yields?|tna|tea|tem|tasas?(?! de cambio)|cup(?:on|ones|om|ons)|coupons?`,
    what: 'yields or rates',
    isRate: true,
  },
  { words: word`paridad(?:e|es)?|parit(?:y|ies)`, what: 'parities' },
  {
    words: word`durations?|durac(?:ion|iones|ao|oes)|dur|macaulay|convexi(?:ty|dad|dade)`,
    what: 'durations',
  },
  {
    words: word`ratios?|spreads?|brechas?|z ?score|volatili(?:ty|dad|dade)|correlac(?:ion|ao)|correlation`,
    what: 'ratios or differences',
    isRate: true,
  },
  {
    words: word`volum(?:e|es|en|enes)|turnover|open interest|interes abierto|market ?cap(?:itali[sz]ation)?|capitalizacion`,
    what: 'volumes or amounts',
  },
  {
    words: word`rsi|macd|[se]ma|(?:moving|rolling) (?:average|mean)s?|(?:media|promedio)s? movil(?:es)?`,
    what: 'indicators',
  },
  {
    words: word`valor(?:es)? (?:residual|tecnico)(?:es)?|(?:residual|technical) values?|interes(?:es)? corridos?|accrued|amorti[sz]ations?|amortizac(?:ion|iones)`,
    what: 'terms of a bond',
  },
];

function word({ raw: [words = ''] }: TemplateStringsArray): RegExp {
  return new RegExp(`(?:^|[^a-z])(?:${words})(?:$|[^a-z])`);
}

/** What a text says that values are, if they are no prices. */
export function noPricesIn(text: string) {
  const folded = foldHeading(text).replaceAll('_', ' ');
  return noPrices.find(({ words }) => words.test(folded));
}
