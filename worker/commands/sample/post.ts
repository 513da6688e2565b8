// Generates posts of employees.
import { capitalize, MEDIA, NETWORK, writeSentence } from './company.ts';
import { DAY_S, formatDay, formatTime, REFERENCE_S, toMonth } from './dates.ts';
import { EMPLOYEES_PER_COMPANY, getPerson, type Person } from './person.ts';
import { PROSE } from './prose.ts';
import { Random } from './random.ts';

export const POSTS_PER_TWO_COMPANIES = 3;
/** Ids have 19 digits and exceed 2^53. */
const FIRST_ID = 7_100_000_000_000_000_000n;
const ID_STEP = 104_729_000_003n;

function formatHashtag(text: string): string {
  return `#${text.toLowerCase().replace(/[^a-z0-9]/g, '')}`;
}

/**
 * Creates post number `index`. Ids ascend with the index.
 * @param companies - number of companies in the sample, whose employees write
 * @returns a record of `employee_post`
 */
export function createPost(seed: number, index: number, companies: number) {
  const random = new Random(seed, 'post', index);
  const pickPerson = (): Person =>
    getPerson(seed, random.int(0, companies * EMPLOYEES_PER_COMPANY - 1), companies);
  const author = pickPerson();
  const [position] = author.positions;
  if (position === undefined) throw new Error('An employee without a position.');
  const { company } = position;
  const language = random.chance(65) ? author.country.language : 'en';
  const published = REFERENCE_S - 1 - random.skewed(0, 700 * DAY_S, 2);
  const mentioned = [
    ...new Set(Array.from({ length: random.chance(20) ? random.int(1, 2) : 0 }, pickPerson)),
  ];
  const hashtags = random.chance(50) ? random.pickSome(author.skills, 1, 3).map(formatHashtag) : [];
  const firstMonth = author.positions.at(-1)?.from ?? toMonth(published);
  const writeSentenceOf = (kind: 'post' | 'news') =>
    capitalize(
      writeSentence(random, company, language, kind, {
        skill: author.skills[0] ?? 'Teamwork',
        years: String(Math.max(1, Math.floor((toMonth(published) - firstMonth) / 12))),
      }),
    );
  const paragraphs = [writeSentenceOf('post'), ...(random.chance(40) ? [writeSentenceOf('news')] : [])];
  if (mentioned.length > 0) paragraphs.push(mentioned.map(({ name }) => name.full).join(', '));
  if (hashtags.length > 0) paragraphs.push(hashtags.join(' '));
  const id = String(FIRST_ID + BigInt(index) * ID_STEP + BigInt(random.int(0, 99_999)));
  const comments = Array.from({ length: random.skewed(0, 5, 3) }, () => {
    const { name, url, headline, country } = pickPerson();
    return {
      author_name: name.full,
      author_profile_url: url,
      author_headline: headline,
      comment: random.pick(PROSE[random.chance(60) ? country.language : 'en'].comments),
      reaction_count: random.skewed(0, 12, 3),
      date_published: formatDay(Math.min(REFERENCE_S - 1, published + random.int(0, 5) * DAY_S)),
    };
  });
  return {
    id,
    employee_parent_id: String(author.id),
    author_name: author.name.full,
    author_profile_url: author.url,
    author_headline: author.headline,
    author_posts_count: random.skewed(1, 600, 3),
    url: `${NETWORK}/posts/${author.name.shorthand}_activity-${id}`,
    date_published: formatDay(published),
    created_at: formatTime(Math.min(REFERENCE_S - 1, published + random.int(0, DAY_S))),
    article_body: random.orNull(2, paragraphs.join('\n\n')),
    image_url: random.chance(60) ? null : `${MEDIA}/feedshare-shrink_800/${random.hex(16)}.jpg`,
    hashtags,
    mentions: mentioned.map(({ name, url }) => ({ full_name: name.full, url })),
    reaction_count: random.skewed(0, 900, 4),
    comment_count: comments.length,
    comments,
  };
}

export type EmployeePost = ReturnType<typeof createPost>;
