// Sample posts of employees: fictional, seeded, consistent with their authors, each a pure function of seed and number.
import { HOSTS, REFERENCE_S } from './data/catalogue.ts';
import { COMMENTS } from './data/people/voices/english-post.ts';
import { VOICES } from './data/people/voices/index.ts';
import { DAY_S, dateText, momentText } from './dates.ts';
import { MOST_EMPLOYEES, type Person, personAt } from './people/person.ts';
import { usualIn } from './people/phrases.ts';
import { profileAt, profileOf } from './people/profile.ts';
import { headlineOf, type Profile } from './people/texts.ts';
import type { EmployeePost } from './people-types.ts';
import { type Written, writtenBy } from './posts/text.ts';
import { hashText, mix32, type Random, randomFor, shuffled } from './random.ts';
import { slugOf } from './text.ts';
import type { Language } from './vocabulary.ts';

/** Posts for every two companies. */
export const POSTS_PER_TWO_COMPANIES = 3;
const MOST_POSTS = 4_000_000;
/** So many posts in a row are written by so many employees in a row. */
const POSTS_IN_GROUP = 300;
const AUTHORS_IN_GROUP = 1000;
/** One in so many employees posts often. */
const OFTEN = 10;
/** Post numbers hold their moment in milliseconds, shifted by these bits. */
const TIME_SHIFT = 22n;

/** How large the data set is. */
export interface PostSetting {
  /** how many employees there are; all authors, mentioned people and commenters are of these */
  employees: number;
  companies: number;
}

/** The number of an employee of the post's group. */
function memberOf(index: number, employees: number, random: Random): number {
  const start = Math.floor(index / POSTS_IN_GROUP) * AUTHORS_IN_GROUP;
  const often = random.chance(520);
  const place = often
    ? random.int(0, AUTHORS_IN_GROUP / OFTEN - 1) * OFTEN
    : random.int(0, AUTHORS_IN_GROUP - 1);
  return (start + place) % employees;
}

/** An author who works or has worked, and whose profile can be seen. */
function authorOf(seed: number, index: number, setting: PostSetting, random: Random): Profile {
  for (let attempt = 0; ; attempt += 1) {
    const found = profileAt(seed, memberOf(index, setting.employees, random), setting.companies);
    const silent = found.person.gone || found.person.hidden || found.career.positions.length === 0;
    if (!silent || attempt === 8) return found;
  }
}

/** Somebody else who writes in the language, if one is soon found. */
function readerOf(
  seed: number,
  index: number,
  author: number,
  language: Language,
  setting: PostSetting,
  random: Random,
): Person {
  for (let attempt = 0; ; attempt += 1) {
    const found = personAt(seed, memberOf(index, setting.employees, random), setting.companies);
    if (attempt >= 9 || (found.index !== author && found.language === language)) return found;
  }
}

function commentsOn(
  post: { seed: number; index: number; author: number; atS: number; written: Written; count: number },
  setting: PostSetting,
  random: Random,
): EmployeePost['comments'] {
  const { seed, index, author, atS, written } = post;
  const shown = Math.min(post.count, random.lowish(1, 9, 1));
  const used = new Set<string>();
  return Array.from({ length: shown }, () => {
    const reader = readerOf(seed, index, author, written.language, setting, random);
    const voice = reader.language === written.language ? VOICES.get(written.language) : undefined;
    const texts = usualIn(voice?.comments ?? COMMENTS, [written.kind]);
    const fresh = texts.filter((text) => !used.has(text));
    const comment = random.pick(fresh.length > 0 ? fresh : texts);
    used.add(comment);
    return {
      author_name: reader.name.full,
      author_profile_url: reader.url,
      author_headline: headlineOf(profileOf(reader)),
      comment,
      reaction_count: random.lowish(0, 12, 4),
      date_published: dateText(Math.min(REFERENCE_S - 3600, atS + random.lowish(60, 9 * DAY_S, 3))),
    };
  });
}

/**
 * Post number `index`. Its identifier has 19 digits and is unique.
 *
 * @param seed a whole number; other seeds give other posts
 * @param index the number of the post, from 0 to 3,999,999
 * @param setting how large the data set is
 * @returns the record
 * @throws `RangeError` when a number is out of range
 */
export function postAt(seed: number, index: number, setting: PostSetting): EmployeePost {
  const { employees } = setting;
  if (!Number.isInteger(index) || index < 0 || index >= MOST_POSTS) {
    throw new RangeError(`there is no sample post number ${index}`);
  }
  if (!Number.isInteger(employees) || employees < 1 || employees > MOST_EMPLOYEES) {
    throw new RangeError(`nobody among ${employees} employees can post`);
  }
  const random = randomFor(seed, 'post', index);
  const author = authorOf(seed, index, setting, random);
  const { person } = author;
  const { atS, written } = writtenBy(author, employees, random);
  const body = written?.body ?? null;
  const low = shuffled(index, 2 ** 22, mix32(seed ^ hashText('post number')));
  const id = ((BigInt(atS) * 1000n + BigInt(random.int(0, 999))) << TIME_SHIFT) + BigInt(low);

  const posting = randomFor(seed, 'posting', person.index);
  const often = person.index % OFTEN === 0;
  const reach = often ? 260 : 90;
  const reactions = random.chance(30) ? random.lowish(200, 6000, 2) : random.lowish(0, reach, 1);
  const comments = random.chance(430) ? 0 : random.lowish(1, Math.max(2, Math.floor(reactions / 6) + 2), 1);
  const topic = body === null ? '' : slugOf(body.slice(0, 60)).slice(0, 44).replace(/-$/, '');
  return {
    id: String(id),
    employee_parent_id: String(person.id),
    author_name: person.name.full,
    author_profile_url: person.url,
    author_headline: headlineOf(author),
    author_posts_count: often ? 24 + posting.lowish(0, 700, 2) : 6 + posting.lowish(0, 70, 2),
    url: `https://${HOSTS.professional}/posts/${person.name.shorthand}_${topic === '' ? '' : `${topic}-`}activity-${id}-${random.hex(8).slice(0, 4)}`,
    date_published: dateText(atS),
    created_at: momentText(atS + random.lowish(3600, Math.min(160 * DAY_S, REFERENCE_S - 1800 - atS), 2)),
    article_body: body,
    image_url: random.chance(body === null ? 900 : 390)
      ? `https://${HOSTS.media}/feedshare-shrink_800/${random.hex(16)}.jpg`
      : null,
    hashtags: written?.hashtags ?? [],
    mentions: written?.mentions.map(({ name, url }) => ({ full_name: name.full, url })) ?? [],
    reaction_count: reactions,
    comment_count: comments,
    comments:
      comments === 0 || written === null
        ? []
        : commentsOn({ seed, index, author: person.index, atS, written, count: comments }, setting, random),
  };
}
