// Compares filled forms with the expected ones.
import type { AskResponse } from '../../../shared/api/ask.ts';
import { getSpellings } from '../../../shared/query/known-values.ts';
import type { AskCase, ExpectedCondition } from './requests.ts';

/** Counts of a run. */
export interface AskFigures {
  sentences: number;
  /** Forms with all expected conditions and no other one. */
  exact: number;
  /** Expected conditions, without optional ones. */
  expected: number;
  /** Filled conditions, without right optional ones. */
  filled: number;
  /** Filled conditions that are expected, with accepted values. */
  right: number;
  /** Parts that no field can express, and those that the form names as left out. */
  unsayable: number;
  named: number;
  /** Conditions of the model that the validator refused. */
  refused: number;
  /** Answers that could not be used as a whole, and calls without an answer. */
  unusable: number;
  unanswered: number;
}

export const createFigures = (): AskFigures => ({
  sentences: 0,
  exact: 0,
  expected: 0,
  filled: 0,
  right: 0,
  unsayable: 0,
  named: 0,
  refused: 0,
  unusable: 0,
  unanswered: 0,
});

const fold = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim();

const fingerprint = (field: string, values: readonly string[], isRange: boolean): string => {
  const folded = values.map((value) => fold(getSpellings(field, value)[0] ?? value));
  return (isRange ? folded : folded.sort()).join('\n');
};

const isAccepted = ({ field, accepted }: ExpectedCondition, values: readonly string[]): boolean => {
  // Only ranges have open or ordered ends, and values of several texts are alternatives.
  const isRange = accepted.some((each) => each.includes('') || each.every((value) => /^\d/.test(value)));
  return accepted.some((each) => fingerprint(field, each, isRange) === fingerprint(field, values, isRange));
};

/** Adds a sentence to the figures. @param form - undefined if there is none */
export function addScore(figures: AskFigures, expected: AskCase, form: AskResponse | undefined): void {
  const required = expected.conditions.filter(({ isOptional }) => !isOptional);
  figures.sentences += 1;
  figures.expected += required.length;
  figures.unsayable += expected.leftOut.length;
  if (form === undefined) return;
  const filled = form.family === expected.family ? form.conditions : [];
  const findFilled = ({ field }: ExpectedCondition) => filled.find(({ name }) => name === field);
  const isRight = (each: ExpectedCondition): boolean => isAccepted(each, findFilled(each)?.values ?? []);
  const right = required.filter(isRight).length;
  const optional = expected.conditions.filter((each) => each.isOptional && isRight(each)).length;
  const counted = form.conditions.length - optional;
  figures.filled += counted;
  figures.right += right;
  if (form.family === expected.family && right === required.length && counted === right) figures.exact += 1;
  figures.named += expected.leftOut.filter((part) =>
    form.left_out.some(({ words }) => fold(words).includes(fold(part)) || fold(part).includes(fold(words))),
  ).length;
}
