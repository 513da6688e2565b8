// Puts a person's facts together, from which both variants of the record are written.
import { careerOf } from './career.ts';
import { type Person, personAt } from './person.ts';
import { schoolsOf } from './schooling.ts';
import { skillsOf } from './skills.ts';
import type { Profile } from './texts.ts';

/**
 * The profile of a person.
 *
 * @param person the person
 * @returns the person with career, skills and schools
 */
export function profileOf(person: Person): Profile {
  const career = careerOf(person);
  return { person, career, skills: skillsOf(person, career), schools: schoolsOf(person, career) };
}

/**
 * The profile of person number `index`, a pure function of its arguments.
 *
 * @param seed the seed of the data set
 * @param index the number of the person, from 0 to 9,999,999
 * @param companies how many companies the data set has, at least 1
 * @returns the person with career, skills and schools
 * @throws `RangeError` when a number is out of range
 */
export function profileAt(seed: number, index: number, companies: number): Profile {
  return profileOf(personAt(seed, index, companies));
}
