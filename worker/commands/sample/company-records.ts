// Generates the clean and the base record of a company.
import { indexFields } from '../../../shared/families/registry.ts';
import { addPrefix, type Company, describePlace, getCompany, writeSentence } from './company.ts';
import { fillFields, type Subject } from './fill-fields.ts';
import { getPerson } from './person.ts';
import { Random, toBit } from './random.ts';
import { formatDay, formatTime, words } from './words.ts';

const { lists } = words;

const toSubject = (seed: number, company: Company): Subject => ({
  ...company,
  seed,
  kind: 'company',
  company,
  topics: company.industry.specialities,
});

const RESHARED = ['author', 'author_url', 'author_headline', 'description', 'followers', 'date'];
const NOT_RESHARED = Object.fromEntries(RESHARED.map((name) => [`reshared_post_${name}`, null]));

/** Creates a company's news on the professional network. Both variants contain the same. */
function createNews(seed: number, company: Company) {
  const random = new Random(seed, 'news', company.index);
  const count = random.chance(45) ? random.int(1, 4) : 0;
  return Array.from({ length: count }, () => {
    const language = random.chance(60) ? company.country.language : 'en';
    const description = writeSentence(random, company, language, 'news');
    return {
      urn: `urn:activity:7${random.digits('##################')}`,
      followers: company.followers,
      date: random.pick(words.values.reshared_post_date),
      description,
      ...(random.chance(12) ? { reshared_post_description: description } : NOT_RESHARED),
    };
  });
}

const properties = indexFields.company_clean.properties;
/** Fields that are absent if the company's website could not be read. */
const fromWebsite = Object.keys(properties).filter((name) =>
  /^enriched_|_available$|_exist$|^is_downloadable$/.test(name),
);
const unreadable = Object.fromEntries(fromWebsite.map((name) => [name, undefined]));

/** Creates the fields that come from the company's website. */
function createEnrichment(random: Random, { industry, name, offices, country, specialities }: Company) {
  const product = random.pick(industry.products);
  const place = offices[0] === undefined ? country.name : `${offices[0].city.name}, ${country.name}`;
  const keywords = [product, ...random.pickSome(industry.products, 1, 3), ...specialities];
  return {
    enriched_summary: `${name}, based in ${place}, offers ${product} to ${random.pick(industry.customers)}.`,
    enriched_keywords: [...new Set(keywords.map((keyword) => keyword.toLowerCase()))],
    enriched_b2b: random.orNull(6, industry.b2b),
    enriched_category: random.orNull(10, industry.name),
    technologies: random
      .pickSome([...lists.webTechnologies, ...industry.technologies], 2, 9)
      .map((technology) => ({ technology })),
  };
}

/** @returns a record of `company_clean`, consistent with the base record */
export function createCleanCompany(seed: number, index: number) {
  const company = getCompany(seed, index);
  const random = new Random(seed, 'company_clean', index);
  const { industry, country, offices, website, host, url, rounds } = company;
  const isRead = website !== null && !random.chance(20);
  const [headquarters] = offices;
  const news = createNews(seed, company);
  return fillFields(toSubject(seed, company), properties, {
    id: company.id,
    name: company.name,
    type: company.type,
    founded: company.founded === null ? null : String(company.founded),
    followers: company.followers,
    websites_main_original: website,
    websites_main: website === null ? null : random.chance(50) ? website : `https://${host}`,
    websites_resolved: isRead ? `https://www.${host}/` : null,
    websites_professional_network: url,
    websites_professional_network_canonical: url,
    size_range: company.sizeRange,
    size_employees_count: company.employeesCount,
    size_employees_count_inferred: Math.ceil((company.staff * random.int(70, 105)) / 100),
    industry: industry.name,
    description: company.description,
    location_hq_raw_address: headquarters?.address ?? null,
    ...addPrefix('location_hq_', describePlace(country, headquarters?.city)),
    last_updated: formatDay(company.updated),
    logo: random.orNull(25, words.logo),
    specialities: company.specialities,
    ticker: company.stock?.ticker ?? null,
    exchange: company.stock?.exchange ?? null,
    technologies: null,
    ...(isRead ? createEnrichment(random, company) : unreadable),
    professional_network_source_id: String(company.sourceId),
    funding_rounds:
      rounds.length === 0
        ? null
        : rounds.map(({ at, type, investors, dollars }, round) => ({
            last_round_investors_count: investors,
            total_rounds_count: round + 1,
            last_round_type: type,
            last_round_date: formatDay(at),
            last_round_money_raised: dollars,
          })),
    phone_numbers: country.phone === null || random.chance(40) ? null : [random.digits(country.phone)],
    emails:
      website === null ? null : random.orNull(45, [`${random.pick(['info', 'hello', 'office'])}@${host}`]),
    locations_full: offices.map((office, at) => ({
      location_address: office.address,
      is_primary: at === 0,
      ...describePlace(country, office.city),
      regions: country.regions.map((region) => ({ region })),
    })),
    updates: news.length === 0 ? null : news,
    created_at: formatDay(company.created),
  });
}

/** @returns a record of `company_base`, consistent with the clean record */
export function createBaseCompany(seed: number, index: number, companies: number) {
  const company = getCompany(seed, index);
  const random = new Random(seed, 'company_base', index);
  const { id, slug, url, country, offices, rounds, created, updated } = company;
  const [headquarters] = offices;
  const item = { company_id: id };
  // Others with a lower index: those always exist.
  const otherIndexes = Array.from({ length: Math.min(random.int(0, 4), index) }, () =>
    random.int(Math.max(0, index - 500), index - 1),
  );
  const others = [...new Set(otherIndexes)].map((other) => getCompany(seed, other));
  const investors = rounds.length === 0 ? [] : random.pickSome(lists.investors, 0, 2);
  return fillFields(toSubject(seed, company), indexFields.company_base.properties, {
    id,
    url,
    name: company.name,
    website: company.website,
    size: company.sizeRange,
    industry: company.industry.name,
    description: company.description,
    followers: company.followers,
    founded: company.founded,
    headquarters_city: headquarters?.city.name ?? null,
    headquarters_country: headquarters === undefined ? null : country.iso2,
    headquarters_state: headquarters?.city.state ?? null,
    headquarters_street1: headquarters?.street ?? null,
    headquarters_street2: headquarters === undefined ? null : random.orNull(90, `Floor ${random.int(1, 9)}`),
    headquarters_zip: headquarters?.zip ?? null,
    created: formatTime(created),
    last_updated: formatTime(updated),
    last_response_code: random.chance(96) ? 200 : 404,
    type: company.type,
    headquarters_new_address: headquarters?.address ?? null,
    employees_count: company.employeesCount,
    headquarters_country_parsed: headquarters === undefined ? null : country.name,
    company_shorthand_name: slug,
    canonical_url: url,
    canonical_shorthand_name: slug,
    last_updated_ux: updated,
    source_id: company.sourceId,
    company_affiliated_collection: others
      .slice(0, Number(random.chance(8)))
      .map((other) => ({ ...item, affiliated_company_url: other.url })),
    company_also_viewed_collection: random.chance(40)
      ? others.map((other) => ({ ...item, viewed_company_url: other.url }))
      : [],
    // The first of every five employees works at the company with the same number.
    company_featured_employees_collection: random.chance(60)
      ? [{ ...item, url: getPerson(seed, index * 5, companies).url }]
      : [],
    company_featured_investors_collection: investors.map((name) => ({
      ...item,
      company_investors_list: { id: 500 + lists.investors.indexOf(name), name },
    })),
    company_funding_rounds_collection: rounds.map(({ at, type, investors, dollars }, round) => ({
      ...item,
      last_round_investors_count: investors,
      total_rounds_count: round + 1,
      last_round_type: type,
      last_round_date: `${formatDay(at)} 00:00:00`,
      last_round_money_raised: dollars === null ? null : `US$ ${(dollars / 1_000_000).toFixed(1)}M`,
    })),
    company_locations_collection: offices.map((office, at) => ({
      ...item,
      location_address: office.address,
      is_primary: toBit(at === 0),
    })),
    company_similar_collection: others.map((other) => ({ ...item, url: other.url })),
    company_specialties_collection: company.specialities.map((specialty) => ({ ...item, specialty })),
    company_stock_info_collection: company.stock === null ? [] : [{ ...item, ...company.stock }],
    company_updates_collection: createNews(seed, company).map((news) => ({ ...item, ...news })),
  });
}
