// The index fields of base employees. Contract, "Assumptions": they follow the record's fields.
import type { Mapping, Properties } from './mapping.ts';
import {
  addressOrNull,
  all,
  byte,
  exactTextOrNull,
  integer,
  integerOrMinusOne,
  keywordOrNull,
  nested,
  roughDate,
  storedText,
  text,
  time,
} from './parts.ts';

/** What the items of a profile's lists have in common. */
const item: Properties = { order_in_profile: integerOrMinusOne, deleted: byte };
const period: Properties = all('date_from date_to', roughDate);

export const employeeBase: Mapping = {
  properties: {
    id: integer,
    parent_id: integerOrMinusOne,
    ...all('is_parent deleted is_hidden', byte),
    ...all('full_name first_name last_name headline profile_url location region industry', exactTextOrNull),
    ...all('created_at updated_at checked_at', time),
    summary: text,
    profile_photo_url: storedText,
    ...all('country country_iso_2 country_iso_3 shorthand_name', keywordOrNull),
    regions: nested({ region: keywordOrNull }),
    ...all('recommendations_count connections_count follower_count experience_count', integerOrMinusOne),
    shorthand_names: nested({ shorthand_name: keywordOrNull }),
    historical_ids: nested({ id: integer }),
    experience: nested({
      ...item,
      ...period,
      ...all('title company_name company_url company_industry location', exactTextOrNull),
      ...all('company_id company_employees_count', integerOrMinusOne),
      company_website: addressOrNull,
      company_size: keywordOrNull,
      is_current: byte,
      description: text,
    }),
    education: nested({
      ...item,
      ...period,
      ...all('institution_name institution_url program_name', exactTextOrNull),
      ...all('description activities_and_societies', text),
    }),
    certifications: nested({
      ...item,
      ...period,
      ...all('title issuer issuer_url certificate_url', exactTextOrNull),
      certificate_id: keywordOrNull,
    }),
    languages: nested({ ...item, ...all('language proficiency', exactTextOrNull) }),
    skills: nested({ ...item, skill: exactTextOrNull }),
    awards: nested({ ...item, ...all('title issuer', exactTextOrNull), description: text, date: roughDate }),
    courses: nested({ ...item, ...all('title organizer', exactTextOrNull) }),
    organizations: nested({
      ...item,
      ...period,
      ...all('name position', exactTextOrNull),
      description: text,
    }),
    patents: nested({
      ...item,
      ...all('title status', exactTextOrNull),
      ...all('inventors description', text),
      patent_number: keywordOrNull,
      date: roughDate,
    }),
    projects: nested({ ...item, ...period, name: exactTextOrNull, description: text }),
    publications: nested({
      ...item,
      ...all('title publisher', exactTextOrNull),
      ...all('authors description', text),
      date: roughDate,
    }),
    recommendations: nested({ ...item, recommendation: text, referee_full_name: exactTextOrNull }),
    volunteering_positions: nested({
      ...item,
      ...period,
      ...all('organization_name role cause', exactTextOrNull),
      description: text,
    }),
    activity: nested({ ...item, ...all('activity_url title action', exactTextOrNull) }),
  },
};
