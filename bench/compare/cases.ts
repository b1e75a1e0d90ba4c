import type { PanelCode } from '../../src/domain/panel.ts';

/** What a request asks for, independently of the interface of a server. */
export type Question =
  | { readonly kind: 'quotes'; readonly tickers: readonly string[] }
  | { readonly kind: 'panel'; readonly panel: PanelCode }
  | {
      readonly kind: 'history';
      readonly ticker: string;
      readonly from: string;
      readonly to: string;
    };

/** One measured case. */
export interface Case {
  readonly name: string;
  readonly title: string;
  readonly question: Question;
  /** `not-modified` sends the current ETag. `gzip` accepts a compressed response. */
  readonly manner: 'plain' | 'not-modified' | 'gzip';
  /** Whether 1,000 updates per second are pushed meanwhile. */
  readonly withUpdates: boolean;
}

/** The instrument of requests for one. It is not updated while a 304 is expected. */
export const oneTicker = 'GGAL';

/** The suffix of a case's name with updates. */
const updatesSuffix = '+updates';

const lastDay = '2026-11-13';

const quiet: readonly Omit<Case, 'withUpdates'>[] = [
  {
    name: 'one',
    title: 'one ticker',
    question: { kind: 'quotes', tickers: [oneTicker] },
    manner: 'plain',
  },
  {
    name: 'three',
    title: 'three tickers',
    question: { kind: 'quotes', tickers: [oneTicker, 'AAPL', 'AL30'] },
    manner: 'plain',
  },
  { name: 'lid', title: 'panel LID', question: { kind: 'panel', panel: 'LID' }, manner: 'plain' },
  { name: 'ced', title: 'panel CED', question: { kind: 'panel', panel: 'CED' }, manner: 'plain' },
  {
    name: 'bonos',
    title: 'panel BONOS',
    question: { kind: 'panel', panel: 'BONOS' },
    manner: 'plain',
  },
  {
    name: 'year',
    title: 'one year of closes',
    question: { kind: 'history', ticker: oneTicker, from: '2025-11-14', to: lastDay },
    manner: 'plain',
  },
  {
    name: 'twenty-years',
    title: '20 years of closes',
    question: { kind: 'history', ticker: oneTicker, from: '2006-11-14', to: lastDay },
    manner: 'plain',
  },
  {
    name: 'not-modified',
    title: 'a 304',
    question: { kind: 'quotes', tickers: [oneTicker] },
    manner: 'not-modified',
  },
  {
    name: 'gzip',
    title: 'panel CED, gzip',
    question: { kind: 'panel', panel: 'CED' },
    manner: 'gzip',
  },
];

/** All cases: each question without updates, then each with updates. */
export const cases: readonly Case[] = [
  ...quiet.map((one) => ({ ...one, withUpdates: false })),
  ...quiet.map((one) => ({
    ...one,
    name: `${one.name}${updatesSuffix}`,
    title: `${one.title}, updates`,
    withUpdates: true,
  })),
];

/** The request target of a question, in the interface of the contract. */
export function contractTarget(question: Question): string {
  switch (question.kind) {
    case 'quotes':
      return `/cotizaciones?especie=${question.tickers.map(encodeURIComponent).join(',')}`;
    case 'panel':
      return `/cotizaciones?panel=${question.panel}`;
    case 'history':
      return `/historicos?especie=${encodeURIComponent(question.ticker)}&desde=${question.from}&hasta=${question.to}`;
  }
}
