// What the web shows of a company: accounts, phones, mail, products in use, what was read off its website.
import { HOSTS, OFFICE_PRODUCTS, SECTOR_PRODUCTS, WEB_PRODUCTS } from './data/catalogue.ts';
import { DAY_S, dateText, yearStart } from './dates.ts';
import { spelt, summaryOf } from './describe.ts';
import type { CompanyFacts } from './facts.ts';
import { randomFor } from './random.ts';
import type { CleanTechnology, CompanyClean } from './types.ts';

/** The lists of accounts of a clean record. */
type SocialLists = Pick<CompanyClean, Extract<keyof CompanyClean, `social_${string}`>>;

/**
 * The address of a profile on the fictional professional network.
 *
 * @param kind the kind of profile
 * @param shorthand its shorthand name or number
 * @returns the whole address
 */
export function profileUrl(kind: 'company' | 'in', shorthand: string | number): string {
  return `https://${HOSTS.professional}/${kind}/${shorthand}`;
}

/**
 * The products that were seen in use.
 *
 * @param facts the company
 * @returns the products with the days on which they were first and last seen; null where nobody looked
 */
export function technologiesOf(facts: CompanyFacts): CleanTechnology[] | null {
  const random = randomFor(facts.seed, 'technologies', facts.index);
  if (facts.site?.resolved == null || random.chance(240)) return null;
  const depth = facts.trade.sector === 'software' ? random.int(3, 12) : random.lowish(0, 6, 0);
  const found = [
    ...random.sample(WEB_PRODUCTS, random.int(2, 7)),
    ...random.sample(OFFICE_PRODUCTS, random.lowish(0, facts.staff > 60 ? 7 : 4, 0)),
    ...random.sample(SECTOR_PRODUCTS[facts.trade.sector], depth),
  ];
  const latestS = facts.updatedS - DAY_S;
  const earliestS = Math.min(latestS, Math.max(yearStart(2018), yearStart(facts.year + 1) - 200 * DAY_S));
  return [...new Set(found)].map((technology) => {
    const firstS = random.int(earliestS, latestS);
    const lastS = random.chance(700) ? latestS - random.int(0, 40 * DAY_S) : random.int(firstS, latestS);
    return {
      technology,
      first_verified_at: dateText(firstS),
      last_verified_at: dateText(Math.max(firstS, lastS)),
    };
  });
}

/**
 * Accounts on social networks: which ones a company has follows from its trade.
 *
 * @param facts the company
 * @returns one address or null per network
 */
export function socialOf(facts: CompanyFacts): SocialLists {
  const random = randomFor(facts.seed, 'social', facts.index);
  const { trade, identity, site } = facts;
  const handle = random.pick([
    identity.shorthand,
    identity.core,
    identity.shorthand.replace(/-/g, ''),
    `${identity.core}official`,
  ]);
  const consumer = trade.b2b === 0 ? 2 : 1;
  const software = trade.sector === 'software' || trade.trade === 'chips' || trade.trade === 'drones';
  const link = (perMille: number, url: string) => (site !== null && random.chance(perMille) ? [url] : null);
  const canonical = profileUrl('company', identity.shorthand);
  return {
    social_discord_urls: link(
      trade.trade === 'games' ? 620 : software ? 60 : 4,
      `https://${HOSTS.discord}/${handle}`,
    ),
    social_facebook_urls: link(330 * consumer, `https://${HOSTS.facebook}/${handle}`),
    social_instagram_urls: link(250 * consumer, `https://${HOSTS.instagram}/${handle}/`),
    social_professional_network_urls: link(690, canonical),
    social_pinterest_urls: link(trade.sector === 'retail' ? 260 : 20, `https://${HOSTS.pinterest}/${handle}`),
    social_tiktok_urls: link(40 * consumer, `https://${HOSTS.tiktok}/@${handle}`),
    social_twitter_urls: link(240, `https://${HOSTS.twitter}/${handle}`),
    social_x_urls: link(110, `https://${HOSTS.x}/${handle}`),
    social_youtube_urls: link(230, `https://${HOSTS.youtube}/@${handle}`),
    social_github_urls: link(software ? 460 : 15, `https://${HOSTS.github}/${handle}`),
    social_reddit_urls: link(trade.trade === 'games' ? 280 : 6, `https://${HOSTS.reddit}/r/${handle}`),
  };
}

/**
 * Phones from ranges that are reserved for fiction, and mail addresses at the company's own host.
 *
 * @param facts the company
 * @returns both lists, null where none is known
 */
export function contactOf(facts: CompanyFacts): Pick<CompanyClean, 'phone_numbers' | 'emails'> {
  const random = randomFor(facts.seed, 'contact', facts.index);
  const numbers = facts.offices
    .map((office) => office.country.phone)
    .filter((pattern) => pattern !== null)
    .slice(0, random.int(1, 2))
    .map((pattern) => pattern.replace(/#/g, () => String(random.int(0, 9))));
  const host = facts.site?.host;
  const boxes = random.sample(
    ['info', 'contact', 'hello', 'office', 'sales', 'support', 'jobs', 'press'],
    random.lowish(1, 3, 1),
  );
  return {
    phone_numbers:
      facts.site !== null && numbers.length > 0 && random.chance(690) ? [...new Set(numbers)] : null,
    emails: host !== undefined && random.chance(570) ? boxes.map((box) => `${box}@${host}`) : null,
  };
}

/**
 * What was read off the website.
 *
 * @param facts the company
 * @returns the fields; none of them where the website was never reached
 */
export function enrichmentOf(facts: CompanyFacts): Partial<CompanyClean> {
  const random = randomFor(facts.seed, 'enrichment', facts.index);
  if (facts.site?.resolved == null || random.chance(40)) return {};
  const { trade } = facts;
  const product = trade.sector === 'software';
  const words = [
    trade.category,
    trade.does,
    ...random.sample(trade.special, 4),
    ...random.sample(trade.makes, random.int(0, 4)),
  ];
  return {
    enriched_summary: random.chance(60) ? null : summaryOf(facts),
    enriched_keywords: random.chance(50)
      ? []
      : [...new Set(words.map((word) => spelt(facts, word).toLowerCase()))],
    enriched_b2b: random.chance(60) ? null : trade.b2b,
    enriched_category: random.chance(70) ? null : trade.category,
    pricing_available: random.chance(product ? 420 : 170),
    free_trial_available: random.chance(product ? 390 : 20),
    demo_available: random.chance(product ? 560 : 60),
    is_downloadable: random.chance(product ? 240 : 50),
    mobile_apps_exist: random.chance(product ? 310 : 70),
    online_reviews_exist: random.chance(trade.b2b === 0 ? 340 : 150),
    api_docs_exist: random.chance(product ? 330 : 12),
  };
}
