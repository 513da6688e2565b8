// The index fields of base companies. Contract, "Assumptions": they follow the record's fields.
import type { Mapping, Properties } from './mapping.ts';
import {
  addressOrNull,
  all,
  byte,
  dayOrTime,
  exactTextOrNull,
  integer,
  integerOrMinusOne,
  keyword,
  keywordOrNull,
  longOrMinusOne,
  nested,
  storedText,
  text,
  time,
} from './parts.ts';

/** What every item of a collection has. */
const item: Properties = {
  ...all('id company_id', integerOrMinusOne),
  ...all('created last_updated', time),
  deleted: byte,
};

export const companyBase: Mapping = {
  properties: {
    id: integer,
    ...all('url canonical_url', exactTextOrNull),
    ...all('hash company_shorthand_name canonical_shorthand_name', keywordOrNull),
    name: exactTextOrNull,
    website: addressOrNull,
    ...all('size type headquarters_country headquarters_country_parsed', keywordOrNull),
    industry: exactTextOrNull,
    description: text,
    ...all('followers founded last_response_code employees_count source_id', integerOrMinusOne),
    ...all(
      'headquarters_city headquarters_state headquarters_street1 headquarters_street2 headquarters_zip headquarters_new_address',
      exactTextOrNull,
    ),
    logo_url: storedText,
    ...all('created last_updated', time),
    deleted: byte,
    last_updated_ux: longOrMinusOne,
    company_affiliated_collection: nested({ ...item, affiliated_company_url: exactTextOrNull }),
    company_also_viewed_collection: nested({ ...item, viewed_company_url: exactTextOrNull }),
    company_featured_employees_collection: nested({ ...item, url: exactTextOrNull }),
    company_featured_investors_collection: nested({
      ...item,
      company_investors_list: {
        type: 'object',
        properties: {
          id: integerOrMinusOne,
          name: exactTextOrNull,
          ...all('hash financial_website_url', keywordOrNull),
          ...all('created last_updated', time),
        },
      },
    }),
    company_funding_rounds_collection: nested({
      ...item,
      ...all('last_round_investors_count total_rounds_count', integerOrMinusOne),
      ...all('last_round_type last_round_money_raised financial_website_url', keywordOrNull),
      last_round_date: dayOrTime,
    }),
    company_locations_collection: nested({ ...item, location_address: exactTextOrNull, is_primary: byte }),
    company_similar_collection: nested({ ...item, url: exactTextOrNull }),
    company_specialties_collection: nested({ ...item, specialty: exactTextOrNull }),
    company_stock_info_collection: nested({ ...item, ...all('ticker exchange', keyword) }),
    company_updates_collection: nested({
      ...item,
      urn: keywordOrNull,
      ...all(
        'date description reshared_post_author reshared_post_author_url reshared_post_author_headline reshared_post_description reshared_post_date',
        text,
      ),
      ...all('followers reactions_count comments_count reshared_post_followers', integerOrMinusOne),
    }),
  },
};
