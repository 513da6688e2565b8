// Generates clean records of companies.
import { type Company, formatAddress, MEDIA, NETWORK, writeSentence } from './company.ts';
import { DAY_S, formatAge, formatDay } from './dates.ts';
import { WEB_TECHNOLOGIES } from './industries.ts';
import { Random } from './random.ts';

/** A 16 by 16 pixel JPEG, base64. */
const LOGO =
  '/9j/2wBDABcXFxcYFxocHBokJiImJDUwLCwwNVA5PTk9OVB5S1hLS1hLeWuBaWJpgWvAl4WFl8DeurC63v/w8P//////////2wBDARcXFxcYFxocHBokJiImJDUwLCwwNVA5PTk9OVB5S1hLS1hLeWuBaWJpgWvAl4WFl8DeurC63v/w8P//////////wgARCAAQABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUAQEAAAAAAAAAAAAAAAAAAAAD/9oADAMBAAIQAxAAAACwHD//xAAXEAEBAQEAAAAAAAAAAAAAAAADBQAT/9oACAEBAAE/AKdNQXiOmU2duLanMZ27DpkxQXs2/8QAGBEAAgMAAAAAAAAAAAAAAAAAABETI0H/2gAIAQIBAT8Arjxn/8QAGBEAAgMAAAAAAAAAAAAAAAAAABETI0H/2gAIAQMBAT8Ask1M';

const SOCIAL_HOSTS = {
  discord: 'voice-rooms.example',
  facebook: 'www.friends-network.example',
  instagram: 'www.photo-feed.example',
  professional_network: 'www.professional-network.example/company',
  pinterest: 'www.pinboards.example',
  tiktok: 'www.short-clips.example',
  twitter: 'short-posts.example',
  x: 'x-posts.example',
  youtube: 'www.video-channels.example',
  github: 'code-forge.example',
  reddit: 'www.threads-forum.example',
} as const;

/** Percentage of companies on each social network; rare networks have a default. */
const SOCIAL_SHARE: Readonly<Record<string, number>> = {
  professional_network: 70,
  facebook: 45,
  instagram: 35,
  x: 20,
  youtube: 18,
  twitter: 12,
};

/** Creates a company's news on the professional network. Both variants contain the same. */
export function createNews(seed: number, company: Company) {
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

function createSocialUrls(random: Random, slug: string) {
  const urls = (network: keyof typeof SOCIAL_HOSTS): string[] | null =>
    random.chance(SOCIAL_SHARE[network] ?? 6) ? [`https://${SOCIAL_HOSTS[network]}/${slug}`] : null;
  return {
    social_discord_urls: urls('discord'),
    social_facebook_urls: urls('facebook'),
    social_instagram_urls: urls('instagram'),
    social_professional_network_urls: urls('professional_network'),
    social_pinterest_urls: urls('pinterest'),
    social_tiktok_urls: urls('tiktok'),
    social_twitter_urls: urls('twitter'),
    social_x_urls: urls('x'),
    social_youtube_urls: urls('youtube'),
    social_github_urls: urls('github'),
    social_reddit_urls: urls('reddit'),
  };
}

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
  return random.pickSome([...WEB_TECHNOLOGIES, ...industry.technologies], 2, 9).map((technology) => {
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
    websites_facebook: random.chance(40) ? `https://${SOCIAL_HOSTS.facebook}/${slug}` : null,
    websites_twitter: random.chance(25) ? `https://${SOCIAL_HOSTS.twitter}/${slug}` : null,
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
    logo: random.chance(25) ? null : LOGO,
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

/** Creates the URL of a logo. */
export function createLogoUrl(random: Random): string {
  return `${MEDIA}/company-logo_200_200/${random.hex(16)}.jpg`;
}

export type CompanyClean = ReturnType<typeof createCleanCompany>;
