// Skills that people list, fitting role, trade and language.
import { SECTOR_PRODUCTS } from '../data/catalogue.ts';
import { SOFT_SKILLS } from '../data/people/voices/english-profile.ts';
import { VOICES } from '../data/people/voices/index.ts';
import { randomFor } from '../random.ts';
import { american } from '../text.ts';
import type { Career } from './career.ts';
import type { Person } from './person.ts';
import { isAmerican } from './phrases.ts';

/**
 * The skills of a person, the most important first.
 *
 * @param person the person
 * @param career the person's career
 * @returns at least three different skills; a profile may show none of them
 */
export function skillsOf(person: Person, career: Career): string[] {
  const random = randomFor(person.seed, 'skills', person.index);
  const { role } = career.calling;
  const { trade } = person.employer;
  const voice = VOICES.get(person.language);
  const wanted = random.lowish(3, 24, 0);
  const own = random.sample(role.skills, Math.max(4, Math.min(role.skills.length, Math.floor(wanted * 0.6))));
  const soft = random.sample(
    voice !== undefined && random.chance(700) ? voice.skills : SOFT_SKILLS,
    random.int(0, Math.max(1, Math.floor(wanted / 4))),
  );
  const technical = role.area === 'build' || role.area === 'study';
  const more = [
    ...random.sample(trade.special, random.lowish(0, 4, 0)),
    ...(technical ? random.sample(SECTOR_PRODUCTS[trade.sector], random.lowish(0, 6, 1)) : []),
    ...soft,
  ];
  const mixed = [...own.slice(0, 3), ...random.sample([...own.slice(3), ...more], 40)].slice(
    0,
    Math.max(3, wanted),
  );
  const spelt = isAmerican(person.employer) ? mixed.map(american) : mixed;
  return [...new Set(spelt)];
}
