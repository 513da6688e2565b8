// Followers, connections, places and other small facts that both variants of an employee's record show.
import { HOSTS } from '../data/catalogue.ts';
import { VOICES } from '../data/people/voices/index.ts';
import { randomFor } from '../random.ts';
import type { Person } from './person.ts';

/** Small facts of a profile; null where it does not tell. */
export interface Details {
  followers: number | null;
  connections: number | null;
  picture: string | null;
  /** as the profile words it */
  location: string | null;
  /** the profile names no country either */
  placeless: boolean;
}

/**
 * The small facts of a profile, a pure function of the person.
 *
 * @param person the person
 * @returns the facts
 */
export function detailsOf(person: Person): Details {
  const random = randomFor(person.seed, 'details', person.index);
  const { city, country } = person;
  const links = random.chance(310) ? 500 : random.lowish(2, 499, random.int(0, 1));
  const reach = links === 500 ? random.lowish(501, 9000, 4) : links + random.int(0, 14);
  const followers = random.chance(12) ? reach * random.int(6, 30) : reach;
  const placeless = random.chance(24);
  const state = city.state === null || city.state === city.name ? null : city.state;
  const voice = VOICES.get(person.language);
  const near =
    voice === undefined
      ? random.pick([`Greater ${city.name} Area`, `${city.name} Metropolitan Area`, `${city.name} Area`])
      : voice.surroundings.replace('{city}', country.tongue === person.language ? city.own : city.name);
  const whole = [city.name, state, country.name].filter((part) => part !== null).join(', ');
  const location = random.weighted([
    [whole, 60],
    [near, 22],
    [`${city.name}, ${country.name}`, 10],
    [country.name, 8],
  ]);
  return {
    followers: person.hidden || random.chance(26) ? null : followers,
    connections: person.hidden || random.chance(24) ? null : links,
    picture:
      !person.hidden && random.chance(730)
        ? `https://${HOSTS.media}/profile-displayphoto/200_200/${random.hex(16)}.jpg`
        : null,
    location: placeless ? null : location,
    placeless,
  };
}
