// Uncertain names of this spreadsheet with their candidates, and what people decided about them.
import type { MatchCandidate } from '../../../shared/api/match.ts';
import type { Family } from '../../../shared/families/index.ts';
import { readStoredJson, writeStoredJson } from '../../lib/document-store.ts';

const STORE = 'CDAPI_NAMES';

/** The choice that no candidate is the company. */
export const NO_COMPANY = '';

/** More undecided names would fill the spreadsheet's storage. */
const MAX_UNDECIDED = 100;

/** A name that several companies could have. */
export interface UncertainName {
  family: Family;
  /** Name, country and city. */
  key: string;
  /** The table with the name. */
  tableId: string;
  candidates: MatchCandidate[];
}

/** A decision about a name. */
export interface NameChoice extends UncertainName {
  /** Id of the company, or {@link NO_COMPANY}. Its candidate is the only one that is kept. */
  companyId: string;
}

/** Ids of chosen companies, or {@link NO_COMPANY}, by the folded key of the name. */
export type NameChoices = ReadonlyMap<string, string>;

/** Folds the key of a name: a decision applies to all spellings that differ only in case. */
export const foldName = (key: string): string => key.toLowerCase();

interface Stored {
  undecided: UncertainName[];
  decided: NameChoice[];
}

const isStored = (value: unknown): value is Stored =>
  typeof value === 'object' && value !== null && 'undecided' in value && 'decided' in value;

function readNames(): Stored {
  const stored = readStoredJson(STORE);
  return isStored(stored) ? stored : { undecided: [], decided: [] };
}

/** Creates a filter for other names than this one. */
const isOther =
  ({ family, key }: Pick<UncertainName, 'family' | 'key'>) =>
  (name: UncertainName): boolean =>
    name.family !== family || foldName(name.key) !== foldName(key);

/** Lists the undecided and the decided names. */
export const listNames = (): Stored => readNames();

/** Returns the decisions about the names of a family. */
export function readNameChoices(family: Family): NameChoices {
  const { decided } = readNames();
  return new Map(
    decided.flatMap((name) => (name.family === family ? [[foldName(name.key), name.companyId]] : [])),
  );
}

/** Adds uncertain names. The oldest give way. A full store loses them; they are found again by the next run. */
export function addUncertainNames(names: readonly UncertainName[]): void {
  if (names.length === 0) return;
  const { undecided, decided } = readNames();
  const kept = undecided.filter((name) => names.every((added) => isOther(added)(name)));
  try {
    writeStoredJson(STORE, { undecided: [...names, ...kept].slice(0, MAX_UNDECIDED), decided });
  } catch {
    // The status column lists the candidates, too.
  }
}

/**
 * Saves decisions. Of their candidates, only the chosen ones are kept.
 * @throws AddonError if the store is full or missing
 */
export function saveChoices(choices: readonly NameChoice[]): void {
  const { undecided, decided } = readNames();
  const isLeft = (name: UncertainName): boolean => choices.every((choice) => isOther(choice)(name));
  const added = choices.map((choice) => ({
    ...choice,
    candidates: choice.candidates.filter(({ id }) => id === choice.companyId),
  }));
  writeStoredJson(STORE, {
    undecided: undecided.filter(isLeft),
    decided: [...added, ...decided.filter(isLeft)],
  });
}

/**
 * Deletes a decision.
 * @param name - becomes undecided again, if it has candidates
 */
export function deleteChoice(name: UncertainName, candidates: UncertainName['candidates'] = []): void {
  const { undecided, decided } = readNames();
  const { family, key, tableId } = name;
  const restored = candidates.length === 0 ? [] : [{ family, key, tableId, candidates }];
  writeStoredJson(STORE, {
    undecided: [...restored, ...undecided.filter(isOther(name))],
    decided: decided.filter(isOther(name)),
  });
}
