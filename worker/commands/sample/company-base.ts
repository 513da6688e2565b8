// The base record of a sample company.
import { addressText, type Company, companyAt, NETWORK } from './company.ts';
import { logoUrl, newsOf } from './company-clean.ts';
import { dayText, timeText } from './dates.ts';
import { personName } from './person.ts';
import { Random } from './random.ts';

const INVESTORS = [
  'Northlight Ventures',
  'Harbour Growth',
  'Early Field',
  'Blue Ridge Capital',
  'Founders of Tomorrow',
];
const MILLION = 1_000_000;

/** `US$ 27.0M` */
export function moneyText(dollars: number): string {
  return dollars >= MILLION
    ? `US$ ${(dollars / MILLION).toFixed(1)}M`
    : `US$ ${(dollars / 1000).toFixed(1)}K`;
}

/** Other companies of the sample: those before this one always exist. */
function otherCompanies(random: Random, seed: number, { index }: Company): Company[] {
  const count = Math.min(random.int(0, 4), index);
  const indexes = new Set(
    Array.from({ length: count }, () => random.int(Math.max(0, index - 500), index - 1)),
  );
  return [...indexes].map((other) => companyAt(seed, other));
}

/**
 * The base record of a company, in agreement with its clean record.
 * @returns a record of `company_base`
 */
export function baseCompany(seed: number, company: Company) {
  const random = new Random(seed, 'company_base', company.index);
  const { id, name, slug, url, country, offices, rounds, created, updated } = company;
  const [headquarters] = offices;
  let items = 0;
  const item = () => {
    items += 1;
    const made = random.int(created, updated);
    return {
      id: (company.index + 1) * 100 + items,
      company_id: id,
      created: timeText(made),
      last_updated: timeText(random.int(made, updated)),
      deleted: random.chance(4) ? (1 as const) : (0 as const),
    };
  };
  const others = otherCompanies(random, seed, company);
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
    logo_url: random.chance(25) ? null : logoUrl(random),
    created: timeText(created),
    last_updated: timeText(updated),
    last_response_code: random.chance(96) ? 200 : 404,
    type: company.type,
    headquarters_new_address: headquarters === undefined ? null : addressText(headquarters, country),
    employees_count: company.employeesCount,
    headquarters_country_parsed: headquarters === undefined ? null : country.name,
    company_shorthand_name: slug,
    canonical_url: url,
    canonical_shorthand_name: slug,
    deleted: random.chance(2) ? (1 as const) : (0 as const),
    last_updated_ux: updated,
    source_id: company.sourceId,
    company_affiliated_collection: random.chance(8)
      ? others.slice(0, 1).map((other) => ({ ...item(), affiliated_company_url: other.url }))
      : [],
    company_also_viewed_collection: random.chance(40)
      ? others.map((other) => ({ ...item(), viewed_company_url: other.url }))
      : [],
    // The first of every five employees works at the company of that number.
    company_featured_employees_collection: random.chance(60)
      ? [
          {
            ...item(),
            url: `${NETWORK}/in/${personName(seed, company.index * 5, company.index + 1).shorthand}`,
          },
        ]
      : [],
    company_featured_investors_collection: (isFunded ? random.some(INVESTORS, 0, 2) : []).map((investor) => {
      const made = item();
      return {
        ...made,
        company_investors_list: {
          id: 500 + INVESTORS.indexOf(investor),
          name: investor,
          hash: random.hex(32),
          financial_website_url: `https://www.funding-register.example/organization/${investor.toLowerCase().replaceAll(' ', '-')}`,
          created: made.created,
          last_updated: made.last_updated,
        },
      };
    }),
    company_funding_rounds_collection: rounds.map(({ at, type, investors, money }, index) => ({
      ...item(),
      last_round_investors_count: investors,
      total_rounds_count: index + 1,
      last_round_type: type,
      last_round_date: `${dayText(at)} 00:00:00`,
      last_round_money_raised: money === null ? null : moneyText(money),
      financial_website_url: random.orNull(30, `https://www.funding-register.example/organization/${slug}`),
    })),
    company_locations_collection: offices.map((office, index) => ({
      ...item(),
      location_address: addressText(office, country),
      is_primary: index === 0 ? (1 as const) : (0 as const),
    })),
    company_similar_collection: others.map((other) => ({ ...item(), url: other.url })),
    company_specialties_collection: company.specialities.map((specialty) => ({ ...item(), specialty })),
    company_stock_info_collection: company.stock === null ? [] : [{ ...item(), ...company.stock }],
    company_updates_collection: newsOf(seed, company).map((news) => ({ ...item(), ...news })),
  };
}

export type CompanyBase = ReturnType<typeof baseCompany>;
