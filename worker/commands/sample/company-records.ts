// Generates the clean and the base record of a company.
import { DAY_S } from '../../../shared/lib/durations.ts';
import { type Company, formatAddress, getCompany, MEDIA, NETWORK, writeSentence } from './company.ts';
import { getPersonName } from './person.ts';
import { Random, toBit } from './random.ts';
import { formatAge, formatDay, formatTime, words } from './words.ts';

/** Creates a company's news on the professional network. Both variants contain the same. */
function createNews(seed: number, company: Company) {
  const random = new Random(seed, 'news', company.index);
  const count = random.chance(45) ? random.int(1, 4) : 0;
  return Array.from({ length: count }, () => {
    const at = company.updated - random.skewed(1, 900, 2) * DAY_S;
    const isShared = random.chance(12);
    const language = random.chance(60) ? company.country.language : 'en';
    const text = writeSentence(random, company, language, 'news');
    return {
      urn: `urn:activity:7${random.digits('##################')}`,
      followers: company.followers,
      date: formatAge(at),
      description: isShared && random.chance(50) ? null : text,
      reactions_count: random.skewed(0, 400, 4),
      comments_count: random.skewed(0, 40, 4),
      reshared_post_author: isShared ? `${company.industry.name} Weekly` : null,
      reshared_post_author_url: isShared ? `${NETWORK}/company/industry-weekly` : null,
      reshared_post_author_headline: isShared ? random.orNull(50, 'News for the trade') : null,
      reshared_post_description: isShared ? text : null,
      reshared_post_followers: isShared ? random.int(500, 90_000) : null,
      reshared_post_date: isShared ? formatAge(at - 3 * DAY_S) : null,
    };
  });
}

const createSocialUrls = (random: Random, slug: string) =>
  Object.fromEntries(
    Object.entries(words.social).map(([network, { share, host }]) => [
      `social_${network}_urls`,
      random.chance(share) ? [`https://${host}/${slug}`] : null,
    ]),
  );

/** Creates the fields that come from the company's website. All of them are absent if it could not be read. */
function createEnrichment(random: Random, company: Company) {
  const { industry, name, offices, country, specialities } = company;
  const product = random.pick(industry.products);
  const place = offices[0] === undefined ? country.name : `${offices[0].city.name}, ${country.name}`;
  return {
    enriched_summary: `${name}, based in ${place}, offers ${product} to ${random.pick(industry.customers)}.`,
    enriched_keywords: [product, ...random.pickSome(industry.products, 1, 3), ...specialities]
      .map((keyword) => keyword.toLowerCase())
      .filter((keyword, at, all) => all.indexOf(keyword) === at),
    enriched_b2b: random.orNull(6, industry.b2b),
    enriched_category: random.orNull(10, industry.name),
    pricing_available: random.chance(35),
    free_trial_available: random.chance(15),
    demo_available: random.chance(25),
    is_downloadable: random.chance(8),
    mobile_apps_exist: random.chance(12),
    online_reviews_exist: random.chance(40),
    api_docs_exist: random.chance(industry.name === 'Software Development' ? 45 : 4),
  };
}

function createTechnologies(random: Random, { industry, updated }: Company) {
  return random
    .pickSome([...words.lists.webTechnologies, ...industry.technologies], 2, 9)
    .map((technology) => {
      const last = updated - random.skewed(0, 700, 3) * DAY_S;
      return {
        technology,
        first_verified_at: formatDay(last - random.int(0, 900) * DAY_S),
        last_verified_at: formatDay(last),
      };
    });
}

/**
 * Creates the clean record of a company, consistent with its base record.
 * @returns a record of `company_clean`
 */
export function createCleanCompany(seed: number, company: Company) {
  const random = new Random(seed, 'company_clean', company.index);
  const { industry, country, offices, website, slug, host, url, rounds } = company;
  const isRead = website !== null && !random.chance(20);
  const [headquarters] = offices;
  const region = headquarters === undefined ? null : country;
  const title = `${company.name} | ${random.pick(industry.products)}`;
  const news = createNews(seed, company);
  return {
    id: company.id,
    name: company.name,
    type: company.type,
    founded: company.founded === null ? null : String(company.founded),
    followers: company.followers,
    websites_main_original: website,
    websites_main: website === null ? null : random.chance(50) ? website : `https://${host}`,
    websites_resolved: isRead ? `https://www.${host}/` : null,
    websites_facebook: random.chance(40) ? `https://${words.social.facebook.host}/${slug}` : null,
    websites_twitter: random.chance(25) ? `https://${words.social.twitter.host}/${slug}` : null,
    websites_professional_network: url,
    websites_professional_network_canonical: url,
    size_range: company.sizeRange,
    size_employees_count: company.employeesCount,
    size_employees_count_inferred: random.orNull(
      10,
      Math.max(1, Math.round((company.staff * random.int(70, 105)) / 100)),
    ),
    industry: industry.name,
    description: company.description,
    location_hq_raw_address:
      headquarters === undefined ? null : random.orNull(12, formatAddress(headquarters, country)),
    location_hq_country: region?.name ?? null,
    location_hq_country_iso_2: region?.iso2 ?? null,
    location_hq_country_iso_3: region?.iso3 ?? null,
    location_hq_state: headquarters?.city.state ?? null,
    location_hq_city: headquarters?.city.name ?? null,
    location_hq_regions: [...(region?.regions ?? [])],
    last_updated: formatDay(company.updated),
    logo: random.chance(25) ? null : words.logo,
    specialities: company.specialities,
    ticker: company.stock?.ticker ?? null,
    exchange: company.stock?.exchange ?? null,
    ...(isRead ? createEnrichment(random, company) : {}),
    metadata_title: isRead ? title : null,
    metadata_description: isRead
      ? random.orNull(20, writeSentence(random, company, country.language, 'about'))
      : null,
    professional_network_source_id: String(company.sourceId),
    funding_rounds:
      rounds.length === 0
        ? null
        : rounds.map(({ at, type, investors, money }, index) => ({
            last_round_investors_count: investors,
            total_rounds_count: index + 1,
            last_round_type: type,
            last_round_date: formatDay(at),
            last_round_money_raised: money,
            financial_website_url: random.orNull(
              30,
              `https://www.funding-register.example/organization/${slug}`,
            ),
          })),
    expired_domain: website === null ? null : random.chance(3),
    unique_domain: website === null ? null : true,
    unique_website: website === null ? null : true,
    phone_numbers: country.phone === null || random.chance(40) ? null : [random.digits(country.phone)],
    emails:
      website === null || random.chance(45)
        ? null
        : [`${random.pick(['info', 'hello', 'contact', 'office'])}@${host}`],
    ...createSocialUrls(random, slug),
    locations_full: offices.map((office, index) => ({
      location_address: formatAddress(office, country),
      is_primary: index === 0,
      country: country.name,
      country_iso_2: country.iso2,
      country_iso_3: country.iso3,
      regions: country.regions.map((name) => ({ region: name })),
      state: office.city.state,
      city: office.city.name,
    })),
    technologies: isRead ? createTechnologies(random, company) : null,
    updates: news.length === 0 ? null : news,
    created_at: formatDay(company.created),
  };
}

function createLogoUrl(random: Random): string {
  return `${MEDIA}/company-logo_200_200/${random.hex(16)}.jpg`;
}

const MILLION = 1_000_000;

/** Formats an amount: `US$ 27.0M`. */
function formatMoney(dollars: number): string {
  return dollars >= MILLION
    ? `US$ ${(dollars / MILLION).toFixed(1)}M`
    : `US$ ${(dollars / 1000).toFixed(1)}K`;
}

/** Picks other companies with a lower index: those always exist. */
function pickOtherCompanies(random: Random, seed: number, { index }: Company): Company[] {
  const count = Math.min(random.int(0, 4), index);
  const indexes = new Set(
    Array.from({ length: count }, () => random.int(Math.max(0, index - 500), index - 1)),
  );
  return [...indexes].map((other) => getCompany(seed, other));
}

/**
 * Creates the base record of a company, consistent with its clean record.
 * @returns a record of `company_base`
 */
export function createBaseCompany(seed: number, company: Company) {
  const random = new Random(seed, 'company_base', company.index);
  const { id, name, slug, url, country, offices, rounds, created, updated } = company;
  const [headquarters] = offices;
  let itemCount = 0;
  const createItem = () => {
    itemCount += 1;
    const itemCreated = random.int(created, updated);
    return {
      id: (company.index + 1) * 100 + itemCount,
      company_id: id,
      created: formatTime(itemCreated),
      last_updated: formatTime(random.int(itemCreated, updated)),
      deleted: toBit(random.chance(4)),
    };
  };
  const otherCompanies = pickOtherCompanies(random, seed, company);
  const isFunded = rounds.length > 0;
  return {
    id,
    url,
    hash: random.hex(32),
    name,
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
    headquarters_street2:
      headquarters !== undefined && random.chance(10) ? `Floor ${random.int(1, 9)}` : null,
    headquarters_zip: headquarters?.zip ?? null,
    logo_url: random.chance(25) ? null : createLogoUrl(random),
    created: formatTime(created),
    last_updated: formatTime(updated),
    last_response_code: random.chance(96) ? 200 : 404,
    type: company.type,
    headquarters_new_address: headquarters === undefined ? null : formatAddress(headquarters, country),
    employees_count: company.employeesCount,
    headquarters_country_parsed: headquarters === undefined ? null : country.name,
    company_shorthand_name: slug,
    canonical_url: url,
    canonical_shorthand_name: slug,
    deleted: toBit(random.chance(2)),
    last_updated_ux: updated,
    source_id: company.sourceId,
    company_affiliated_collection: random.chance(8)
      ? otherCompanies.slice(0, 1).map((other) => ({ ...createItem(), affiliated_company_url: other.url }))
      : [],
    company_also_viewed_collection: random.chance(40)
      ? otherCompanies.map((other) => ({ ...createItem(), viewed_company_url: other.url }))
      : [],
    // The first of every five employees works at the company with the same number.
    company_featured_employees_collection: random.chance(60)
      ? [
          {
            ...createItem(),
            url: `${NETWORK}/in/${getPersonName(seed, company.index * 5, company.index + 1).shorthand}`,
          },
        ]
      : [],
    company_featured_investors_collection: (isFunded ? random.pickSome(words.lists.investors, 0, 2) : []).map(
      (investor) => {
        const item = createItem();
        return {
          ...item,
          company_investors_list: {
            id: 500 + words.lists.investors.indexOf(investor),
            name: investor,
            hash: random.hex(32),
            financial_website_url: `https://www.funding-register.example/organization/${investor.toLowerCase().replaceAll(' ', '-')}`,
            created: item.created,
            last_updated: item.last_updated,
          },
        };
      },
    ),
    company_funding_rounds_collection: rounds.map(({ at, type, investors, money }, index) => ({
      ...createItem(),
      last_round_investors_count: investors,
      total_rounds_count: index + 1,
      last_round_type: type,
      last_round_date: `${formatDay(at)} 00:00:00`,
      last_round_money_raised: money === null ? null : formatMoney(money),
      financial_website_url: random.orNull(30, `https://www.funding-register.example/organization/${slug}`),
    })),
    company_locations_collection: offices.map((office, index) => ({
      ...createItem(),
      location_address: formatAddress(office, country),
      is_primary: toBit(index === 0),
    })),
    company_similar_collection: otherCompanies.map((other) => ({ ...createItem(), url: other.url })),
    company_specialties_collection: company.specialities.map((specialty) => ({ ...createItem(), specialty })),
    company_stock_info_collection: company.stock === null ? [] : [{ ...createItem(), ...company.stock }],
    company_updates_collection: createNews(seed, company).map((news) => ({ ...createItem(), ...news })),
  };
}
