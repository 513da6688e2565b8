// Names of this spreadsheet: uncertain ones with their candidates, decisions about them, and recent comparisons.
import type { MatchCandidate } from '../../../shared/api/match.ts';
import { type Family, previewFreshForS } from '../../../shared/families/index.ts';
import { readStored, writeStoredJson } from '../../lib/document-store.ts';
import { createGuard } from '../../lib/json.ts';

const STORE = 'CDAPI_NAMES';

/** The choice that no candidate is the company. */
export const NO_COMPANY = '';

/** More names would fill the spreadsheet's storage. */
const MAX_UNDECIDED = 100;
const MAX_COMPARED = 500;

/** A name that several companies could have. */
export interface UncertainName {
  family: Family;
  /** Name, country and city. */
  key: string;
  tableId: string;
  candidates: MatchCandidate[];
  /** When it was compared, in ms since 1970. */
  at: number;
}

/** A name that was compared for certain: with the id of the company, or none. */
export interface ComparedName extends Pick<UncertainName, 'family' | 'key' | 'at'> {
  companyId?: string;
}

export interface NameChoice extends UncertainName {
  /** Id of the company, or {@link NO_COMPANY}. Its candidate is the only one that is kept. */
  companyId: string;
}

/** The result of a recent comparison: a company, candidates, or neither if no company has the name. */
export interface Comparison {
  companyId?: string;
  candidates: MatchCandidate[];
  at: number;
}

/** What is known about names, by their folded keys. */
export interface KnownNames {
  /** Ids of chosen companies, or {@link NO_COMPANY}. */
  choices: ReadonlyMap<string, string>;
  comparisons: ReadonlyMap<string, Comparison>;
}

export const noKnownNames: KnownNames = { choices: new Map(), comparisons: new Map() };

/** Folds the key of a name: a decision applies to all spellings that differ only in case. */
export const foldName = (key: string): string => key.toLowerCase();

interface Stored {
  undecided: UncertainName[];
  decided: NameChoice[];
  /** The last ones first. */
  compared: ComparedName[];
}

const isStored = createGuard<Stored>({ undecided: 'list', decided: 'list', compared: 'list' });

export const listNames = (): Stored =>
  readStored(STORE, isStored) ?? { undecided: [], decided: [], compared: [] };

/** Creates a filter for other names than this one. */
const isOther =
  ({ family, key }: Pick<UncertainName, 'family' | 'key'>) =>
  (name: Pick<UncertainName, 'family' | 'key'>): boolean =>
    name.family !== family || foldName(name.key) !== foldName(key);

/**
 * Returns the decisions about the names of a family, and the comparisons that are still fresh.
 * @param asOf - when the run starts, in ms since 1970
 * @param maxAgeS - maximum age of comparisons; they count as fresh for a day at most, like pages of previews
 */
export function readKnownNames(family: Family, asOf: number, maxAgeS = previewFreshForS): KnownNames {
  const { undecided, decided, compared } = listNames();
  const since = asOf - Math.min(maxAgeS, previewFreshForS) * 1000;
  const isFresh = (name: Pick<UncertainName, 'family' | 'at'>): boolean =>
    name.family === family && name.at >= since;
  const toComparison = ({ key, ...name }: UncertainName | ComparedName): [string, Comparison] => [
    foldName(key),
    { candidates: [], ...name },
  ];
  return {
    choices: new Map(
      decided.flatMap((name) => (name.family === family ? [[foldName(name.key), name.companyId]] : [])),
    ),
    comparisons: new Map([...compared, ...undecided].filter(isFresh).map(toComparison)),
  };
}

/**
 * Adds the results of comparisons. The oldest give way. A full store loses them; the next run compares these names again.
 * @param uncertain - names with candidates
 * @param compared - names without
 */
export function addComparisons(uncertain: readonly UncertainName[], compared: readonly ComparedName[]): void {
  if (uncertain.length + compared.length === 0) return;
  const stored = listNames();
  const isLeft = (name: Pick<UncertainName, 'family' | 'key'>): boolean =>
    [...uncertain, ...compared].every((added) => isOther(added)(name));
  try {
    writeStoredJson(STORE, {
      undecided: [...uncertain, ...stored.undecided.filter(isLeft)].slice(0, MAX_UNDECIDED),
      decided: stored.decided,
      compared: [...compared, ...stored.compared.filter(isLeft)].slice(0, MAX_COMPARED),
    });
  } catch {
    // The status column lists the candidates, too.
  }
}

/**
 * Saves decisions. Of their candidates, only the chosen ones are kept.
 * @throws AddonError if the store is full or missing
 */
export function saveChoices(choices: readonly NameChoice[]): void {
  const { undecided, decided, ...others } = listNames();
  const isLeft = (name: UncertainName): boolean => choices.every((choice) => isOther(choice)(name));
  const added = choices.map((choice) => ({
    ...choice,
    candidates: choice.candidates.filter(({ id }) => id === choice.companyId),
  }));
  writeStoredJson(STORE, {
    ...others,
    undecided: undecided.filter(isLeft),
    decided: [...added, ...decided.filter(isLeft)],
  });
}

/**
 * Deletes a decision.
 * @param name - becomes undecided again, if it has candidates
 */
export function deleteChoice(name: UncertainName, candidates: UncertainName['candidates'] = []): void {
  const { undecided, decided, ...others } = listNames();
  const { family, key, tableId, at } = name;
  const restored = candidates.length === 0 ? [] : [{ family, key, tableId, candidates, at }];
  writeStoredJson(STORE, {
    ...others,
    undecided: [...restored, ...undecided.filter(isOther(name))],
    decided: decided.filter(isOther(name)),
  });
}
