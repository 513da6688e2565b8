// Generates base records of companies.
import { type Company, formatAddress, getCompany, NETWORK } from './company.ts';
import { createLogoUrl, createNews } from './company-clean.ts';
import { formatDay, formatTime } from './dates.ts';
import { getPersonName } from './person.ts';
import { Random } from './random.ts';

const INVESTORS = [
  'Northlight Ventures',
  'Harbour Growth',
  'Early Field',
  'Blue Ridge Capital',
  'Founders of Tomorrow',
];
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
      deleted: random.chance(4) ? (1 as const) : (0 as const),
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
    deleted: random.chance(2) ? (1 as const) : (0 as const),
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
    company_featured_investors_collection: (isFunded ? random.pickSome(INVESTORS, 0, 2) : []).map(
      (investor) => {
        const item = createItem();
        return {
          ...item,
          company_investors_list: {
            id: 500 + INVESTORS.indexOf(investor),
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
      is_primary: index === 0 ? (1 as const) : (0 as const),
    })),
    company_similar_collection: otherCompanies.map((other) => ({ ...createItem(), url: other.url })),
    company_specialties_collection: company.specialities.map((specialty) => ({ ...createItem(), specialty })),
    company_stock_info_collection: company.stock === null ? [] : [{ ...createItem(), ...company.stock }],
    company_updates_collection: createNews(seed, company).map((news) => ({ ...createItem(), ...news })),
  };
}

export type CompanyBase = ReturnType<typeof createBaseCompany>;
