// The clean variant of a company record, written from its facts.
import { HEADLINES, HOSTS, OFFICE_PRODUCTS, SECTOR_PRODUCTS, WEB_PRODUCTS } from './data/catalogue.ts';
import { LOGOS } from './data/logos.ts';
import { PROSE } from './data/prose/index.ts';
import { DAY_S, dateText, yearStart } from './dates.ts';
import { descriptionOf, postsOf, spelt, summaryOf, websiteTextsOf } from './describe.ts';
import type { CompanyFacts, Office } from './facts.ts';
import { roundsOf } from './funding.ts';
import { type Random, randomFor } from './random.ts';
import { capital } from './text.ts';
import type {
  CleanFundingRound,
  CleanLocation,
  CleanTechnology,
  CompanyClean,
  CompanyUpdate,
} from './types.ts';

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
 * An office as one line; how much of the address is given varies from record to record.
 *
 * @param office the office
 * @param random decides how much is given
 * @returns such as `Torstraße 8, 10119 Berlin, DE` or `Lyon, FR`
 */
export function addressOf(office: Office, random: Random): string {
  const { city, country, street, zip } = office;
  const state = city.state === null || city.state === city.name ? null : city.state;
  const whole =
    country.house === 'first'
      ? [street, city.name, [state, zip].filter((part) => part !== null).join(' '), country.iso2]
      : [street, [zip, city.name].filter((part) => part !== null).join(' '), state, country.iso2];
  const parts = random.weighted([
    [whole, 48],
    [[city.name, state, country.name], 30],
    [[city.name, country.iso2], 22],
  ]);
  return parts.filter((part) => part !== null && part !== '').join(', ');
}

/**
 * The specialities that a company lists, the first in its own language where it has one.
 *
 * @param facts the company
 * @returns none to ten
 */
export function specialitiesOf(facts: CompanyFacts): string[] {
  const random = randomFor(facts.seed, 'specialities', facts.index);
  if (random.chance(280)) return [];
  const english = random
    .sample(facts.trade.special, random.lowish(2, facts.trade.special.length, 0))
    .map((word) => spelt(facts, word));
  const words = random.chance(110) ? english.map((word) => word.toLowerCase()) : english;
  const own = PROSE.get(facts.language)?.does[facts.trade.trade];
  return own === undefined ? words : [capital(own), ...words.slice(0, random.int(0, 5))];
}

/**
 * The company's posts as both variants show them.
 *
 * @param facts the company
 * @returns newest first; often none
 */
export function updatesOf(facts: CompanyFacts): CompanyUpdate[] {
  const random = randomFor(facts.seed, 'updates', facts.index);
  const count = random.chance(430) ? 0 : random.lowish(1, facts.staff > 100 ? 9 : 6, 1);
  const ages = ['3d', '1w', '2w', '3w', '1mo', '2mo', '3mo', '5mo', '7mo', '9mo', '1yr', '2yr', '3yr'];
  let age = random.lowish(0, 6, 0);
  return postsOf(facts, count).map((description) => {
    const date = ages[Math.min(age, ages.length - 1)] ?? '1yr';
    age += random.int(0, 2);
    const shared = random.chance(110);
    return {
      urn: `urn:activity:7${random.int(100_000_000, 999_999_999)}${random.int(100_000_000, 999_999_999)}`,
      followers: facts.missing.followers ? null : facts.followers,
      date,
      description,
      reactions_count: random.lowish(0, 8 + Math.min(900, Math.floor(facts.followers / 12)), 2),
      comments_count: random.lowish(0, 2 + Math.min(60, Math.floor(facts.followers / 300)), 3),
      reshared_post_author: shared
        ? random.pick(['Ines Albrink', 'Kwame Ofosuhene', 'Tomoko Hayasaki', 'Marta Zielna'])
        : null,
      reshared_post_author_url: shared ? profileUrl('in', `member-${random.hex(8)}`) : null,
      reshared_post_author_headline: shared ? random.pick(HEADLINES) : null,
      reshared_post_description: shared ? summaryOf(facts) : null,
      reshared_post_followers: shared ? random.lowish(40, 9000, 2) : null,
      reshared_post_date: shared ? date : null,
    };
  });
}

function locationsOf(facts: CompanyFacts): CleanLocation[] {
  if (facts.missing.place) return [];
  return facts.offices.map((office, at) => ({
    location_address: addressOf(office, randomFor(facts.seed, `address ${at}`, facts.index)),
    is_primary: at === 0,
    country: office.country.name,
    country_iso_2: office.country.iso2,
    country_iso_3: office.country.iso3,
    regions: office.country.regions.map((region) => ({ region })),
    state: office.city.state,
    city: office.city.name,
  }));
}

function technologiesOf(facts: CompanyFacts): CleanTechnology[] | null {
  const random = randomFor(facts.seed, 'technologies', facts.index);
  if (facts.site?.resolved == null || random.chance(240)) return null;
  const depth = facts.trade.sector === 'software' ? random.int(3, 12) : random.lowish(0, 6, 0);
  const found = [
    ...random.sample(WEB_PRODUCTS, random.int(2, 7)),
    ...random.sample(OFFICE_PRODUCTS, random.lowish(0, facts.staff > 60 ? 7 : 4, 0)),
    ...random.sample(SECTOR_PRODUCTS[facts.trade.sector], depth),
  ];
  const latest = facts.updatedS - DAY_S;
  return [...new Set(found)]
    .map((technology) => {
      const firstS = random.int(
        Math.max(yearStart(2018), yearStart(facts.year + 1) - 200 * DAY_S),
        latest - DAY_S,
      );
      return {
        technology,
        first_verified_at: dateText(firstS),
        last_verified_at: dateText(
          random.chance(700) ? latest - random.lowish(0, 40 * DAY_S, 0) : random.int(firstS, latest),
        ),
      };
    })
    .map((item) =>
      item.first_verified_at <= item.last_verified_at
        ? item
        : { ...item, last_verified_at: item.first_verified_at },
    );
}

function fundingOf(facts: CompanyFacts): CleanFundingRound[] | null {
  const rounds = roundsOf(facts);
  if (rounds.length === 0) return null;
  return rounds.map((round, at) => ({
    last_round_investors_count: round.investors,
    total_rounds_count: at + 1,
    last_round_type: round.type,
    last_round_date: dateText(round.atS),
    last_round_money_raised: round.money,
    financial_website_url: financialUrl(facts),
  }));
}

/**
 * The company's page on the fictional funding register.
 *
 * @param facts the company
 * @returns the whole address
 */
export function financialUrl(facts: CompanyFacts): string {
  return `https://${HOSTS.financial}/organization/${facts.identity.shorthand}`;
}

/** Accounts on social networks: which ones a company has follows from its trade and size. */
function socialOf(facts: CompanyFacts) {
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

/** Phones from ranges that are reserved for fiction, and mail addresses at the company's own host. */
function contactOf(facts: CompanyFacts): Pick<CompanyClean, 'phone_numbers' | 'emails'> {
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

/** What was read off the website; absent where it was never reached. */
function enrichmentOf(facts: CompanyFacts): Partial<CompanyClean> {
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
    enriched_keywords: random.chance(50) ? [] : [...new Set(words.map((word) => word.toLowerCase()))],
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

/**
 * The clean record of a company.
 *
 * @param facts the company
 * @returns the record
 */
export function cleanOf(facts: CompanyFacts): CompanyClean {
  const random = randomFor(facts.seed, 'clean', facts.index);
  const { identity, site, missing, trade } = facts;
  const headquarters = facts.offices[0];
  const { city, country } = headquarters;
  const social = socialOf(facts);
  const canonical = profileUrl('company', identity.shorthand);
  const texts = websiteTextsOf(facts);
  const reached = site?.resolved != null;
  const locations = locationsOf(facts);
  const updates = updatesOf(facts);
  const place = <T>(value: T): T | null => (missing.place ? null : value);
  return {
    id: facts.id,
    name: facts.name,
    type: missing.type ? null : facts.type,
    founded: missing.year ? null : String(facts.year),
    followers: missing.followers ? null : facts.followers,
    websites_main_original: site?.shown ?? null,
    websites_main: site?.main ?? null,
    websites_resolved: site?.resolved ?? null,
    websites_facebook: social.social_facebook_urls?.[0] ?? null,
    websites_twitter: social.social_twitter_urls?.[0] ?? null,
    websites_professional_network: facts.numbered ? profileUrl('company', facts.sourceId) : canonical,
    websites_professional_network_canonical: canonical,
    size_range: missing.size ? null : facts.size.label,
    size_employees_count: missing.staff ? null : facts.staff,
    size_employees_count_inferred: missing.staff
      ? null
      : Math.max(1, Math.floor((facts.staff * random.int(62, 118)) / 100)),
    industry: missing.industry ? null : trade.industry,
    description: descriptionOf(facts),
    location_hq_raw_address: locations[0]?.location_address ?? null,
    location_hq_country: place(country.name),
    location_hq_country_iso_2: place(country.iso2),
    location_hq_country_iso_3: place(country.iso3),
    location_hq_state: place(city.state),
    location_hq_city: place(city.name),
    location_hq_regions: missing.place ? [] : [...country.regions],
    last_updated: dateText(facts.updatedS),
    logo: random.chance(120) ? random.pick(LOGOS) : null,
    specialities: specialitiesOf(facts),
    ticker: facts.listed?.ticker ?? null,
    exchange: facts.listed?.exchange ?? null,
    ...enrichmentOf(facts),
    metadata_title: reached && random.chance(930) ? texts.title : null,
    metadata_description: reached ? texts.description : null,
    professional_network_source_id: String(facts.sourceId),
    funding_rounds: fundingOf(facts),
    expired_domain: site === null ? null : !reached && random.chance(600),
    unique_domain: site === null ? null : true,
    unique_website: site === null ? null : true,
    ...contactOf(facts),
    ...social,
    locations_full: locations,
    technologies: technologiesOf(facts),
    updates: updates.length > 0 ? updates : null,
    created_at: dateText(facts.createdS),
  };
}
