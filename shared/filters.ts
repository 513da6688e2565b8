// The named filters of the flat filter object, as data: what each takes and which index fields it searches.

/** The families that have filters. */
export type FilterFamily = 'company_base' | 'employee_base' | 'job_base';

/**
 * What a filter takes.
 * `text` words with AND, OR, groups, "phrases" and trailing * · `exact` a whole value · `host` a website, by its host ·
 * `integer` · `flag` true, false, 1 or 0 · `datetime` `YYYY-MM-DD HH:MM:SS` · `date` `YYYY-MM-DD` · `month` a date whose day and
 * month may be left out
 */
export type FilterType = 'text' | 'exact' | 'host' | 'integer' | 'flag' | 'datetime' | 'date' | 'month';

/** One filter. */
export interface Filter {
  name: string;
  type: FilterType;
  /** The index fields it searches: any of them will do. */
  fields: readonly string[];
  /**
   * The nested objects that hold the fields, where filters on the same path are about the same object. Without it a
   * filter on nested objects may be met by several of them.
   */
  path?: string;
  /** An inclusive end of a range; without it the value itself is meant. */
  bound?: 'gte' | 'lte';
  /** What people read beside it in a form. */
  label: string;
}

/** A filter; the field that it searches has its name where no other is said. */
function one(
  name: string,
  type: FilterType,
  label: string,
  fields: readonly string[] = [name],
  path?: string,
): Filter[] {
  return [{ name, type, label, fields, ...(path === undefined ? {} : { path }) }];
}

/** Words in one field, or in any of several. */
function text(
  name: string,
  label: string,
  fields: string | readonly string[] = name,
  path?: string,
): Filter[] {
  return one(name, 'text', label, typeof fields === 'string' ? [fields] : fields, path);
}

/** `<name>_gte` and `<name>_lte`. */
function range(name: string, type: FilterType, label: string, field: string = name, path?: string): Filter[] {
  const shared = { type, fields: [field], ...(path === undefined ? {} : { path }) };
  return [
    { name: `${name}_gte`, bound: 'gte', label: `${label} from`, ...shared },
    { name: `${name}_lte`, bound: 'lte', label: `${label} to`, ...shared },
  ];
}

const FUNDING = 'company_funding_rounds_collection';
const EXPERIENCE = 'experience';
const EDUCATION = 'education';

const inFunding = (field: string): string => `${FUNDING}.${field}`;
const inExperience = (field: string): string => `${EXPERIENCE}.${field}`;

/** A filter on a job or on a time at school: its name begins with that of the list. */
const entry =
  (list: string) =>
  (name: string, type: FilterType, label: string, field = name): Filter[] =>
    one(`${list}_${name}`, type, label, [`${list}.${field}`], list);
const job = entry(EXPERIENCE);
const studies = entry(EDUCATION);

/** One end of a period of a list: since when, or until when. */
function end(list: string, name: 'date_from' | 'date_to', label: string): Filter[] {
  const bound = name === 'date_from' ? 'gte' : 'lte';
  return [{ name: `${list}_${name}`, type: 'month', bound, label, fields: [`${list}.${name}`], path: list }];
}

const headquarters = 'new_address street1 street2 zip city state country country_parsed'
  .split(' ')
  .map((part) => `headquarters_${part}`);

const companyBase: readonly Filter[] = [
  ...text('name', 'Name'),
  ...one('website', 'host', 'Website'),
  ...one('exact_website', 'exact', 'Website, exactly', ['website']),
  ...text('size', 'Size'),
  ...text('industry', 'Industry'),
  ...text('country', 'Country', 'headquarters_country_parsed'),
  ...text('location', 'Headquarters', headquarters),
  ...range('created_at', 'datetime', 'Created', 'created'),
  ...range('last_updated', 'datetime', 'Last updated'),
  ...one('deleted', 'flag', 'Deleted'),
  ...range('employees_count', 'integer', 'Employees'),
  ...one('source_id', 'integer', 'Source id'),
  ...range('founded_year', 'integer', 'Founded', 'founded'),
  ...range(
    'funding_total_rounds_count',
    'integer',
    'Funding rounds',
    inFunding('total_rounds_count'),
    FUNDING,
  ),
  ...text('funding_last_round_type', 'Last funding round', [inFunding('last_round_type')], FUNDING),
  ...range('funding_last_round_date', 'date', 'Last funding', inFunding('last_round_date'), FUNDING),
];

const employeeBase: readonly Filter[] = [
  ...text('full_name', 'Name'),
  ...text('headline', 'Headline'),
  ...text('location', 'Location'),
  ...text('industry', 'Industry'),
  ...text('summary', 'Summary'),
  ...range('created_at', 'datetime', 'Created'),
  ...range('updated_at', 'datetime', 'Updated'),
  ...one('deleted', 'flag', 'Deleted'),
  ...text('country', 'Country'),
  ...text('skill', 'Skill', 'skills.skill'),
  ...text('certification_title', 'Certificate', 'certifications.title'),
  ...job('title', 'text', 'Job title'),
  ...job('company_name', 'text', 'Company'),
  ...job('company_exact_name', 'exact', 'Company, exactly', 'company_name'),
  ...job('company_website_url', 'host', 'Company website', 'company_website'),
  ...job('company_website_exact_url', 'exact', 'Company website, exactly', 'company_website'),
  ...job('company_professional_network_url', 'exact', 'Company profile URL', 'company_url'),
  ...job('company_industry', 'text', 'Company industry'),
  ...job('company_size', 'text', 'Company size'),
  ...range(
    'experience_company_employees_count',
    'integer',
    'Company employees',
    inExperience('company_employees_count'),
    EXPERIENCE,
  ),
  ...end(EXPERIENCE, 'date_from', 'Job since'),
  ...end(EXPERIENCE, 'date_to', 'Job until'),
  ...job('description', 'text', 'Job description'),
  ...job('deleted', 'flag', 'Job deleted'),
  ...job('company_id', 'integer', 'Company id'),
  ...one('active_experience', 'flag', 'Job is current', [inExperience('is_current')], EXPERIENCE),
  ...text('keyword', 'Keyword', ['headline', 'summary', inExperience('title'), 'skills.skill']),
  ...studies('institution_name', 'text', 'School'),
  ...studies('institution_exact_name', 'exact', 'School, exactly', 'institution_name'),
  ...studies('program_name', 'text', 'Degree'),
  ...studies('description', 'text', 'Studies'),
  ...end(EDUCATION, 'date_from', 'Studied since'),
  ...end(EDUCATION, 'date_to', 'Studied until'),
  ...studies('institution_professional_network_url', 'exact', 'School profile URL', 'institution_url'),
  ...one('is_hidden', 'flag', 'Hidden'),
];

const jobBase: readonly Filter[] = [
  ...range('created_at', 'datetime', 'Created', 'created'),
  ...range('last_updated', 'datetime', 'Last updated'),
  ...text('title', 'Title'),
  ...text('keyword_description', 'Description', 'description'),
  ...text('employment_type', 'Employment type'),
  ...text('location', 'Location'),
  ...one('company_id', 'integer', 'Company id'),
  ...text('company_name', 'Company'),
  ...one('company_domain', 'host', 'Company website', ['job_company_website']),
  ...one('company_exact_website', 'exact', 'Company website, exactly', ['job_company_website']),
  ...one('company_professional_network_url', 'exact', 'Company profile URL', ['company_url']),
  ...one('deleted', 'flag', 'Deleted'),
  ...one('application_active', 'flag', 'Open for applications'),
  ...text('country', 'Country'),
  ...text('industry', 'Industry', 'job_industry_collection.job_industry_list.industry'),
];

/** Contract, "Filters". All optional; several narrow the result. */
export const filters: Readonly<Record<FilterFamily, readonly Filter[]>> = {
  company_base: companyBase,
  employee_base: employeeBase,
  job_base: jobBase,
};
