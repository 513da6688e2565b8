// The posts of the sample's employees.
import { capitalised, MEDIA, NETWORK, writeSentence } from './company.ts';
import { DAY_S, dayText, monthOf, REFERENCE_S, timeText } from './dates.ts';
import { EMPLOYEES_PER_COMPANY, type Person, personAt } from './person.ts';
import { PROSE } from './prose.ts';
import { Random } from './random.ts';

export const POSTS_PER_TWO_COMPANIES = 3;
/** The ids of posts have 19 digits, beyond 2^53. */
const FIRST_ID = 7_100_000_000_000_000_000n;
const ID_STEP = 104_729_000_003n;

function hashtag(text: string): string {
  return `#${text.toLowerCase().replace(/[^a-z0-9]/g, '')}`;
}

/**
 * Post number `index`; its id grows with the index.
 * @param companies - in the sample, whose employees write
 * @returns a record of `employee_post`
 */
export function postAt(seed: number, index: number, companies: number) {
  const random = new Random(seed, 'post', index);
  const anybody = (): Person =>
    personAt(seed, random.int(0, companies * EMPLOYEES_PER_COMPANY - 1), companies);
  const author = anybody();
  const [position] = author.positions;
  if (position === undefined) throw new Error('An employee without a position.');
  const { company } = position;
  const language = random.chance(65) ? author.country.language : 'en';
  const published = REFERENCE_S - 1 - random.skewed(0, 700 * DAY_S, 2);
  const mentioned = [...new Set(Array.from({ length: random.chance(20) ? random.int(1, 2) : 0 }, anybody))];
  const hashtags = random.chance(50) ? random.some(author.skills, 1, 3).map(hashtag) : [];
  const firstMonth = author.positions.at(-1)?.from ?? monthOf(published);
  const sentence = (kind: 'post' | 'news') =>
    capitalised(
      writeSentence(random, company, language, kind, {
        skill: author.skills[0] ?? 'Teamwork',
        years: String(Math.max(1, Math.floor((monthOf(published) - firstMonth) / 12))),
      }),
    );
  const paragraphs = [sentence('post'), ...(random.chance(40) ? [sentence('news')] : [])];
  if (mentioned.length > 0) paragraphs.push(mentioned.map(({ name }) => name.full).join(', '));
  if (hashtags.length > 0) paragraphs.push(hashtags.join(' '));
  const id = String(FIRST_ID + BigInt(index) * ID_STEP + BigInt(random.int(0, 99_999)));
  const comments = Array.from({ length: random.skewed(0, 5, 3) }, () => {
    const { name, url, headline, country } = anybody();
    return {
      author_name: name.full,
      author_profile_url: url,
      author_headline: headline,
      comment: random.pick(PROSE[random.chance(60) ? country.language : 'en'].comments),
      reaction_count: random.skewed(0, 12, 3),
      date_published: dayText(Math.min(REFERENCE_S - 1, published + random.int(0, 5) * DAY_S)),
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
    date_published: dayText(published),
    created_at: timeText(Math.min(REFERENCE_S - 1, published + random.int(0, DAY_S))),
    article_body: random.orNull(2, paragraphs.join('\n\n')),
    image_url: random.chance(60) ? null : `${MEDIA}/feedshare-shrink_800/${random.hex(16)}.jpg`,
    hashtags,
    mentions: mentioned.map(({ name, url }) => ({ full_name: name.full, url })),
    reaction_count: random.skewed(0, 900, 4),
    comment_count: comments.length,
    comments,
  };
}

export type EmployeePost = ReturnType<typeof postAt>;
