// The index fields of job postings. Service description, "Job posting index fields".
import type { Mapping } from './mapping.ts';
import {
  addressOrNull,
  all,
  byte,
  exactText,
  exactTextOrNull,
  integer,
  nested,
  storedText,
  text,
  time,
} from './parts.ts';

export const jobBase: Mapping = {
  properties: {
    ...all('id company_id professional_network_job_id', integer),
    ...all('created last_updated', time),
    ...all('time_posted url hash salary', storedText),
    ...all('title description employment_type location external_url redirected_url country', text),
    ...all('seniority company_name applicants_count job_functions_collection', exactTextOrNull),
    company_url: exactText,
    ...all('deleted application_active', byte),
    job_industry_collection: nested({
      job_industry_list: { type: 'object', properties: { industry: text } },
    }),
    job_company_website: addressOrNull,
  },
};
