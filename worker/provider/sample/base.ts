// The base variant of a company record, written from the same facts as the clean one.
import { addressOf, financialUrl, specialitiesOf, updatesOf } from './clean.ts';
import { HOSTS, INVESTORS } from './data/catalogue.ts';
import { PARTNER_NAMES, SURNAMES } from './data/names-english.ts';
import { factsOf } from './data/trades.ts';
import { DAY_S, dateText, momentText } from './dates.ts';
import { descriptionOf } from './describe.ts';
import type { CompanyFacts } from './facts.ts';
import { moneyText, roundsOf } from './funding.ts';
import { identityAt } from './names.ts';
import { profileUrl } from './presence.ts';
import { hashText, type Random, randomFor } from './random.ts';
import { slugOf, wordOf } from './text.ts';
import type { BaseFundingRound, CollectionItem, CompanyBase, FeaturedInvestor } from './types.ts';

/** Companies that know each other are drawn from the same five hundred, so that most links lead somewhere. */
const NEIGHBOURHOOD = 500;
/** Collections hold fewer items than this, which keeps their numbers apart. */
const ITEMS = 64;

/** Makes the items of one collection, numbered and dated within the life of the record. */
class Collection {
  readonly #facts: CompanyFacts;
  readonly #random: Random;
  readonly #offset: number;
  #count = 0;

  constructor(facts: CompanyFacts, name: string) {
    this.#facts = facts;
    this.#random = randomFor(facts.seed, name, facts.index);
    this.#offset = 100_000 + (hashText(name) % 900_000);
  }

  /** One more item; `fromS` is the earliest moment at which it can have been seen. */
  item(fromS = 0, gonePerMille = 0): CollectionItem {
    const { createdS, updatedS, id, index } = this.#facts;
    const firstS = Math.min(updatedS, Math.max(createdS, fromS));
    const deleted = this.#random.chance(gonePerMille);
    const seenS = this.#random.chance(480) ? firstS : this.#random.int(firstS, updatedS);
    this.#count += 1;
    return {
      id: this.#offset + index * ITEMS + this.#count,
      company_id: id,
      created: momentText(seenS),
      last_updated: momentText(deleted ? this.#random.int(seenS, updatedS) : updatedS),
      deleted: deleted ? 1 : 0,
    };
  }
}

/** Shorthand names of neighbours, those of the same sector only. */
function neighbours(facts: CompanyFacts, random: Random, tries: number, most: number): string[] {
  const start = facts.index - (facts.index % NEIGHBOURHOOD);
  const found = new Set<string>();
  for (let attempt = 0; attempt < tries && found.size < most; attempt += 1) {
    const index = start + random.int(0, NEIGHBOURHOOD - 1);
    const other = identityAt(facts.seed, index);
    if (index !== facts.index && factsOf(other.trade).sector === facts.trade.sector)
      found.add(other.shorthand);
  }
  return [...found];
}

function fundingRounds(facts: CompanyFacts): BaseFundingRound[] {
  const collection = new Collection(facts, 'rounds');
  const rounds = roundsOf(facts);
  return rounds.map((round, at) => ({
    ...collection.item(round.atS + 3 * DAY_S, at < rounds.length - 1 ? 1000 : 0),
    last_round_investors_count: round.investors,
    total_rounds_count: at + 1,
    last_round_type: round.type,
    last_round_date: `${dateText(round.atS)} 00:00:00`,
    last_round_money_raised: round.money === null ? null : moneyText(round.money),
    financial_website_url: financialUrl(facts),
  }));
}

function featuredInvestors(facts: CompanyFacts): FeaturedInvestor[] {
  const random = randomFor(facts.seed, 'investors', facts.index);
  const collection = new Collection(facts, 'featured investors');
  const most = roundsOf(facts).reduce((sum, round) => sum + (round.investors ?? 0), 0);
  return random.sample(INVESTORS, random.int(0, Math.min(4, most))).map((name) => {
    const item = collection.item();
    return {
      ...item,
      company_investors_list: {
        id: 20_000 + INVESTORS.indexOf(name),
        name,
        hash: randomFor(0, name, 0).hex(32),
        financial_website_url: `https://${HOSTS.financial}/organization/${slugOf(name)}`,
        created: item.created,
        last_updated: item.last_updated,
      },
    };
  });
}

function featuredEmployees(facts: CompanyFacts): string[] {
  const random = randomFor(facts.seed, 'featured people', facts.index);
  if (!random.chance(360)) return [];
  const given = [
    'anna',
    'luca',
    'fatima',
    'james',
    'mei',
    'pedro',
    'ola',
    'ravi',
    'chloe',
    'emre',
    'ngozi',
    'hanna',
  ];
  return Array.from({ length: random.int(1, Math.min(4, facts.staff)) }, () =>
    profileUrl(
      'in',
      `${random.pick(given)}-${wordOf(random.pick(random.chance(500) ? SURNAMES : PARTNER_NAMES)).slug}-${random.hex(8)}`,
    ),
  );
}

/**
 * The base record of a company.
 *
 * @param facts the company
 * @returns the record
 */
export function baseOf(facts: CompanyFacts): CompanyBase {
  const random = randomFor(facts.seed, 'base', facts.index);
  const { identity, missing } = facts;
  const headquarters = facts.offices[0];
  const { city, country } = headquarters;
  const canonical = profileUrl('company', identity.shorthand);
  const known = facts.numbered ? String(facts.sourceId) : identity.shorthand;
  const legacy = !missing.place && random.chance(420);
  const old = <T>(value: T): T | null => (legacy ? value : null);
  const collection = (name: string) => new Collection(facts, name);
  const similar = collection('similar');
  const viewed = collection('viewed');
  const affiliated = collection('affiliated');
  const specialties = collection('specialties');
  const people = collection('people');
  const locations = collection('locations');
  const stock = collection('stock');
  const updates = collection('posts');
  const acquaintances = neighbours(facts, random, 14, random.int(0, 5));
  return {
    id: facts.id,
    url: profileUrl('company', known),
    hash: random.hex(32),
    name: facts.name,
    website: facts.site?.shown ?? null,
    size: missing.size ? null : facts.size.label,
    industry: missing.industry ? null : facts.trade.industry,
    description: descriptionOf(facts),
    followers: missing.followers ? null : facts.followers,
    founded: missing.year ? null : facts.year,
    headquarters_city: old(city.name),
    headquarters_country: old(country.iso2),
    headquarters_state: old(city.state),
    headquarters_street1: old(headquarters.street),
    headquarters_street2:
      legacy && random.chance(120) ? `${random.pick(['Floor', 'Unit', 'Suite'])} ${random.int(1, 14)}` : null,
    headquarters_zip: old(headquarters.zip),
    logo_url: random.chance(860) ? `https://${HOSTS.media}/company-logo/200_200/${random.hex(16)}.jpg` : null,
    created: momentText(facts.createdS),
    last_updated: momentText(facts.updatedS),
    last_response_code: facts.gone ? 404 : 200,
    type: missing.type ? null : facts.type,
    headquarters_new_address: missing.place
      ? null
      : [city.name, city.state].filter((part) => part !== null).join(', '),
    employees_count: missing.staff ? null : facts.staff,
    headquarters_country_parsed: missing.place ? null : country.name,
    company_shorthand_name: known,
    canonical_url: canonical,
    canonical_shorthand_name: identity.shorthand,
    deleted: facts.gone ? 1 : 0,
    last_updated_ux: facts.updatedS,
    source_id: facts.sourceId,
    company_affiliated_collection: acquaintances
      .slice(0, random.chance(70) ? 2 : 0)
      .map((name) => ({ ...affiliated.item(), affiliated_company_url: profileUrl('company', name) })),
    company_also_viewed_collection: acquaintances
      .slice(0, random.chance(300) ? 3 : 0)
      .map((name) => ({ ...viewed.item(0, 800), viewed_company_url: profileUrl('company', name) })),
    company_featured_employees_collection: featuredEmployees(facts).map((url) => ({
      ...people.item(0, 150),
      url,
    })),
    company_featured_investors_collection: featuredInvestors(facts),
    company_funding_rounds_collection: fundingRounds(facts),
    company_locations_collection: missing.place
      ? []
      : facts.offices.map((office, at) => ({
          ...locations.item(),
          location_address: addressOf(office, randomFor(facts.seed, `address ${at}`, facts.index)),
          is_primary: at === 0 ? 1 : 0,
        })),
    company_similar_collection: acquaintances.map((name) => ({
      ...similar.item(0, 100),
      url: profileUrl('company', name),
    })),
    company_specialties_collection: specialitiesOf(facts).map((specialty) => ({
      ...specialties.item(),
      specialty,
    })),
    company_stock_info_collection: facts.listed === null ? [] : [{ ...stock.item(), ...facts.listed }],
    company_updates_collection: updatesOf(facts).map((update) => ({ ...updates.item(0, 60), ...update })),
  };
}
