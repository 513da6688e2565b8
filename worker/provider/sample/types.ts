// The records of sample companies as the service returns them: field names from the service's field tables.

/** A funding round of a clean company: how the company stood after that round. */
export interface CleanFundingRound {
  last_round_investors_count: number | null;
  total_rounds_count: number;
  last_round_type: string;
  /** `YYYY-MM-DD` */
  last_round_date: string;
  /** US dollars */
  last_round_money_raised: number | null;
  financial_website_url: string | null;
}

/** An office of a clean company. */
export interface CleanLocation {
  location_address: string | null;
  is_primary: boolean;
  country: string | null;
  country_iso_2: string | null;
  country_iso_3: string | null;
  regions: { region: string }[];
  state: string | null;
  city: string | null;
}

/** A product that was seen in use on the company's website. */
export interface CleanTechnology {
  technology: string;
  /** `YYYY-MM-DD` */
  first_verified_at: string;
  /** `YYYY-MM-DD` */
  last_verified_at: string;
}

/** A post of the company on the professional network; `date` is an age such as `2mo`. */
export interface CompanyUpdate {
  urn: string;
  followers: number | null;
  date: string;
  description: string | null;
  reactions_count: number;
  comments_count: number;
  reshared_post_author: string | null;
  reshared_post_author_url: string | null;
  reshared_post_author_headline: string | null;
  reshared_post_description: string | null;
  reshared_post_followers: number | null;
  reshared_post_date: string | null;
}

/** One clean company record. Optional fields are absent where the website was never read. */
export interface CompanyClean {
  id: number;
  name: string;
  type: string | null;
  /** the year, as text */
  founded: string | null;
  followers: number | null;
  websites_main_original: string | null;
  websites_main: string | null;
  websites_resolved: string | null;
  websites_facebook: string | null;
  websites_twitter: string | null;
  websites_professional_network: string;
  websites_professional_network_canonical: string;
  size_range: string | null;
  size_employees_count: number | null;
  size_employees_count_inferred: number | null;
  industry: string | null;
  description: string | null;
  location_hq_raw_address: string | null;
  location_hq_country: string | null;
  location_hq_country_iso_2: string | null;
  location_hq_country_iso_3: string | null;
  location_hq_state: string | null;
  location_hq_city: string | null;
  location_hq_regions: string[];
  /** `YYYY-MM-DD` */
  last_updated: string;
  /** base64 of a JPEG */
  logo: string | null;
  specialities: string[];
  ticker: string | null;
  exchange: string | null;
  enriched_summary?: string | null;
  enriched_keywords?: string[];
  /** 1 sells to businesses, 0 does not */
  enriched_b2b?: 0 | 1 | null;
  enriched_category?: string | null;
  metadata_title: string | null;
  metadata_description: string | null;
  professional_network_source_id: string;
  funding_rounds: CleanFundingRound[] | null;
  expired_domain: boolean | null;
  unique_domain: boolean | null;
  unique_website: boolean | null;
  phone_numbers: string[] | null;
  emails: string[] | null;
  pricing_available?: boolean;
  free_trial_available?: boolean;
  demo_available?: boolean;
  is_downloadable?: boolean;
  mobile_apps_exist?: boolean;
  online_reviews_exist?: boolean;
  api_docs_exist?: boolean;
  social_discord_urls: string[] | null;
  social_facebook_urls: string[] | null;
  social_instagram_urls: string[] | null;
  social_professional_network_urls: string[] | null;
  social_pinterest_urls: string[] | null;
  social_tiktok_urls: string[] | null;
  social_twitter_urls: string[] | null;
  social_x_urls: string[] | null;
  social_youtube_urls: string[] | null;
  social_github_urls: string[] | null;
  social_reddit_urls: string[] | null;
  locations_full: CleanLocation[];
  technologies: CleanTechnology[] | null;
  updates: CompanyUpdate[] | null;
  /** `YYYY-MM-DD` */
  created_at: string;
}

/** What every item of a base collection has; times are `YYYY-MM-DD HH:MM:SS`. */
export interface CollectionItem {
  id: number;
  company_id: number;
  created: string;
  last_updated: string;
  deleted: 0 | 1;
}

/** An investor of a base company. */
export interface FeaturedInvestor extends CollectionItem {
  company_investors_list: {
    id: number;
    name: string;
    hash: string;
    financial_website_url: string;
    created: string;
    last_updated: string;
  };
}

/** A funding round of a base company; the money is text such as `US$ 27.0M`. */
export interface BaseFundingRound extends CollectionItem {
  last_round_investors_count: number | null;
  total_rounds_count: number;
  last_round_type: string;
  /** `YYYY-MM-DD HH:MM:SS`, midnight */
  last_round_date: string;
  last_round_money_raised: string | null;
  financial_website_url: string | null;
}

/** One base company record. */
export interface CompanyBase {
  id: number;
  url: string;
  hash: string;
  name: string;
  website: string | null;
  size: string | null;
  industry: string | null;
  description: string | null;
  followers: number | null;
  founded: number | null;
  headquarters_city: string | null;
  headquarters_country: string | null;
  headquarters_state: string | null;
  headquarters_street1: string | null;
  headquarters_street2: string | null;
  headquarters_zip: string | null;
  logo_url: string | null;
  /** `YYYY-MM-DD HH:MM:SS` */
  created: string;
  /** `YYYY-MM-DD HH:MM:SS` */
  last_updated: string;
  last_response_code: number;
  type: string | null;
  headquarters_new_address: string | null;
  employees_count: number | null;
  headquarters_country_parsed: string | null;
  company_shorthand_name: string;
  canonical_url: string;
  canonical_shorthand_name: string;
  deleted: 0 | 1;
  /** `last_updated` in seconds since 1970 */
  last_updated_ux: number;
  source_id: number;
  company_affiliated_collection: (CollectionItem & { affiliated_company_url: string })[];
  company_also_viewed_collection: (CollectionItem & { viewed_company_url: string })[];
  company_featured_employees_collection: (CollectionItem & { url: string })[];
  company_featured_investors_collection: FeaturedInvestor[];
  company_funding_rounds_collection: BaseFundingRound[];
  company_locations_collection: (CollectionItem & { location_address: string; is_primary: 0 | 1 })[];
  company_similar_collection: (CollectionItem & { url: string })[];
  company_specialties_collection: (CollectionItem & { specialty: string })[];
  company_stock_info_collection: (CollectionItem & { ticker: string; exchange: string })[];
  company_updates_collection: (CollectionItem & CompanyUpdate)[];
}
