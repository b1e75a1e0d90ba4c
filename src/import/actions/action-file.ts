import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { UniverseFault } from '../../universe/files/universe-fault.ts';

/** A fault in a file of actions: where it is, the text at fault, and what would be valid. */
export type ActionFault = UniverseFault;

/** An action with the line of its file, 0 where the file has no lines. */
export interface LocatedAction {
  readonly action: CorporateAction;
  readonly line: number;
}

/** The content of one file. With faults, its actions are incomplete. */
export interface ActionFile {
  readonly actions: readonly LocatedAction[];
  readonly faults: readonly ActionFault[];
  /** Names of instruments that a market-wide file has and the universe has not. Their actions are left out. */
  readonly unknown: readonly string[];
}

/** The instrument that a source names. */
export interface SourceNames {
  /** The instrument of a symbol of Yahoo Finance. */
  readonly ofYahoo: (symbol: string) => Ticker | undefined;
  /** The instrument of a symbol of Alpaca. */
  readonly ofAlpaca: (symbol: string) => Ticker | undefined;
  /** The ticker that an exchange symbol of the United States has, or would have. */
  readonly ofUsSymbol: (symbol: string) => Ticker;
}

/** What files are read with. */
export interface ActionContext {
  readonly universe: Universe;
  readonly names: SourceNames;
  /** The recorded actions, whose changes of the ticker say which tickers are old. */
  readonly recorded: CorporateActions;
}

/** A file of actions, as text. */
export interface ActionText {
  readonly file: string;
  readonly text: string;
}

/** The result for a file that has no actions at all. */
export function notActions(file: string): ActionFile {
  const message =
    'these are not corporate actions; import a CSV or YAML table, a chart of Yahoo Finance, or a list of Alpaca (docs/corporate-actions.md)';
  return { actions: [], faults: [{ file, line: 0, column: 0, value: '', message }], unknown: [] };
}
