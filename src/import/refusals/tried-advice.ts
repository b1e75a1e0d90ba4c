import {
  ImportRefusal,
  operatorKnows,
  type ImportOptions,
  type Suggestion,
} from './import-refusal.ts';

/** Maximum number of refusals in a row whose suggestions are combined into one. */
const stepsMax = 4;

/** The options of a trial. The operator may have to add a ticker or a time zone that nobody else knows. */
export type TrialOptions = Omit<ImportOptions, 'ticker' | 'zone'> & {
  readonly ticker?: string | typeof operatorKnows;
  readonly zone?: string | typeof operatorKnows;
};

/**
 * A refusal whose suggestions have been tried on the file. A suggestion that leads to another refusal is
 * combined with the suggestions of that refusal, or left out if it has none. Where none is left because
 * these are not daily prices, the refusal says so.
 *
 * @param plan decides how the file is read with these options, or throws a refusal.
 */
export function withTriedAdvice(
  refusal: ImportRefusal,
  options: ImportOptions,
  plan: (options: TrialOptions) => unknown,
): ImportRefusal {
  const { suggestions: given = [] } = refusal.advice ?? {};
  if (given.length === 0) return refusal;
  const followed = given.map((one) => follow(one, options, plan, 1));
  const working = followed.flatMap((one) => one.working);
  const suggestions = distinct(working.map((one) => withoutAbsent(one, options)));
  const deepest = mostCommon(followed.flatMap(({ failure }) => failure ?? []));
  if (suggestions.length === 0 && deepest?.code === 'not-prices') {
    return deepest.suggesting([]);
  }
  return refusal.suggesting(suggestions);
}

interface Followed {
  readonly working: readonly Suggestion[];
  /** The last refusal on the way, where no suggestion works. */
  readonly failure?: ImportRefusal;
}

function follow(
  suggestion: Suggestion,
  options: ImportOptions,
  plan: (options: TrialOptions) => unknown,
  steps: number,
): Followed {
  const refusal = refusalOf(() => plan(applied(suggestion, options)));
  if (refusal === undefined) return { working: [suggestion] };
  // An instrument of another currency was the wrong suggestion: another instrument does not complete it.
  const isWrong = refusal.advice?.kind === 'name-instrument-in-currency';
  const next = isWrong ? [] : (refusal.advice?.suggestions ?? []);
  const further = next
    .filter((one) => isCompatible(one, suggestion))
    .map((one) => ({ ...suggestion, ...one }));
  if (steps >= stepsMax || further.length === 0) return { working: [], failure: refusal };
  const followed = further.map((one) => follow(one, options, plan, steps + 1));
  const working = followed.flatMap((one) => one.working);
  if (working.length > 0) return { working };
  // That these are not daily prices is the reason that matters, whatever follows.
  if (refusal.code === 'not-prices') return { working, failure: refusal };
  return { working, failure: mostCommon(followed.flatMap((one) => one.failure ?? [])) ?? refusal };
}

/** Whether a second suggestion keeps what the first one says. */
function isCompatible(second: Suggestion, first: Suggestion): boolean {
  // A named instrument is no reading of the names in the file.
  if (typeof first.suffix === 'string' && second.ticker !== undefined) return false;
  const said = Object.entries(first).filter(([, value]) => value !== operatorKnows);
  return said.every(([name]) => !Object.hasOwn(second, name));
}

/** The options of an operator who follows a suggestion. */
export function applied(suggestion: Suggestion, options: ImportOptions): TrialOptions {
  const entries = Object.entries({ ...options, ...suggestion });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

function refusalOf(run: () => unknown): ImportRefusal | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof ImportRefusal) return error;
    throw error;
  }
}

/** A suggestion that leaves out no option that is not given. */
function withoutAbsent(suggestion: Suggestion, options: ImportOptions): Suggestion {
  const given: Readonly<Record<string, unknown>> = { ...options };
  const entries = Object.entries(suggestion);
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== null || given[name] !== undefined),
  );
}

function distinct(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  return [...new Map(suggestions.map((one) => [keyOf(one), one])).values()];
}

function keyOf(suggestion: Suggestion): string {
  const settings = Object.entries(suggestion).map(([name, value]) => `${name}=${String(value)}`);
  return settings.sort().join(' ');
}

/** The refusal whose problem occurs most often; of several, the first. */
function mostCommon(refusals: readonly ImportRefusal[]): ImportRefusal | undefined {
  const counts = new Map<string, number>();
  for (const { problem } of refusals) counts.set(problem, (counts.get(problem) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return refusals.find(({ problem }) => counts.get(problem) === most);
}
