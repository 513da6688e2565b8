// The clean variant of a company record, written from its facts.
import { HEADLINES, HOSTS } from './data/catalogue.ts';
import { LOGOS } from './data/logos.ts';
import { PROSE } from './data/prose/index.ts';
import { dateText } from './dates.ts';
import { descriptionOf, postsOf, spelt, summaryOf, websiteTextsOf } from './describe.ts';
import type { CompanyFacts, Office } from './facts.ts';
import { roundsOf } from './funding.ts';
import { contactOf, enrichmentOf, profileUrl, socialOf, technologiesOf } from './presence.ts';
import { type Random, randomFor } from './random.ts';
import { capital } from './text.ts';
import type { CleanFundingRound, CleanLocation, CompanyClean, CompanyUpdate } from './types.ts';

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
