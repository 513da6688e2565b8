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

function one(
  name: string,
  type: FilterType,
  label: string,
  fields: readonly string[],
  path?: string,
): Filter[] {
  return [{ name, type, label, fields, ...(path === undefined ? {} : { path }) }];
}

/** `<name>_gte` and `<name>_lte`. */
function range(name: string, type: FilterType, label: string, field: string, path?: string): Filter[] {
  const shared = { type, fields: [field], ...(path === undefined ? {} : { path }) };
  return [
    { name: `${name}_gte`, bound: 'gte', label: `${label} from`, ...shared },
    { name: `${name}_lte`, bound: 'lte', label: `${label} to`, ...shared },
  ];
}

/** One end of a period: since when, or until when. */
function end(name: string, bound: 'gte' | 'lte', label: string, field: string, path: string): Filter[] {
  return [{ name, type: 'month', bound, label, fields: [field], path }];
}

const FUNDING = 'company_funding_rounds_collection';
const EXPERIENCE = 'experience';
const EDUCATION = 'education';

const inFunding = (field: string): string => `${FUNDING}.${field}`;
const inExperience = (field: string): string => `${EXPERIENCE}.${field}`;
const inEducation = (field: string): string => `${EDUCATION}.${field}`;

const companyBase: readonly Filter[] = [
  ...one('name', 'text', 'Name', ['name']),
  ...one('website', 'host', 'Website', ['website']),
  ...one('exact_website', 'exact', 'Website, exactly', ['website']),
  ...one('size', 'text', 'Size', ['size']),
  ...one('industry', 'text', 'Industry', ['industry']),
  ...one('country', 'text', 'Country', ['headquarters_country_parsed']),
  ...one('location', 'text', 'Headquarters', [
    'headquarters_new_address',
    'headquarters_street1',
    'headquarters_street2',
    'headquarters_zip',
    'headquarters_city',
    'headquarters_state',
    'headquarters_country',
    'headquarters_country_parsed',
  ]),
  ...range('created_at', 'datetime', 'Created', 'created'),
  ...range('last_updated', 'datetime', 'Last updated', 'last_updated'),
  ...one('deleted', 'flag', 'Deleted', ['deleted']),
  ...range('employees_count', 'integer', 'Employees', 'employees_count'),
  ...one('source_id', 'integer', 'Source id', ['source_id']),
  ...range('founded_year', 'integer', 'Founded', 'founded'),
  ...range(
    'funding_total_rounds_count',
    'integer',
    'Funding rounds',
    inFunding('total_rounds_count'),
    FUNDING,
  ),
  ...one('funding_last_round_type', 'text', 'Last funding round', [inFunding('last_round_type')], FUNDING),
  ...range('funding_last_round_date', 'date', 'Last funding', inFunding('last_round_date'), FUNDING),
];

const employeeBase: readonly Filter[] = [
  ...one('full_name', 'text', 'Name', ['full_name']),
  ...one('headline', 'text', 'Headline', ['headline']),
  ...one('location', 'text', 'Location', ['location']),
  ...one('industry', 'text', 'Industry', ['industry']),
  ...one('summary', 'text', 'Summary', ['summary']),
  ...range('created_at', 'datetime', 'Created', 'created_at'),
  ...range('updated_at', 'datetime', 'Updated', 'updated_at'),
  ...one('deleted', 'flag', 'Deleted', ['deleted']),
  ...one('country', 'text', 'Country', ['country']),
  ...one('skill', 'text', 'Skill', ['skills.skill']),
  ...one('certification_title', 'text', 'Certificate', ['certifications.title']),
  ...one('experience_title', 'text', 'Job title', [inExperience('title')], EXPERIENCE),
  ...one('experience_company_name', 'text', 'Company', [inExperience('company_name')], EXPERIENCE),
  ...one(
    'experience_company_exact_name',
    'exact',
    'Company, exactly',
    [inExperience('company_name')],
    EXPERIENCE,
  ),
  ...one(
    'experience_company_website_url',
    'host',
    'Company website',
    [inExperience('company_website')],
    EXPERIENCE,
  ),
  ...one(
    'experience_company_website_exact_url',
    'exact',
    'Company website, exactly',
    [inExperience('company_website')],
    EXPERIENCE,
  ),
  ...one(
    'experience_company_professional_network_url',
    'exact',
    'Company profile URL',
    [inExperience('company_url')],
    EXPERIENCE,
  ),
  ...one(
    'experience_company_industry',
    'text',
    'Company industry',
    [inExperience('company_industry')],
    EXPERIENCE,
  ),
  ...one('experience_company_size', 'text', 'Company size', [inExperience('company_size')], EXPERIENCE),
  ...range(
    'experience_company_employees_count',
    'integer',
    'Company employees',
    inExperience('company_employees_count'),
    EXPERIENCE,
  ),
  ...end('experience_date_from', 'gte', 'Job since', inExperience('date_from'), EXPERIENCE),
  ...end('experience_date_to', 'lte', 'Job until', inExperience('date_to'), EXPERIENCE),
  ...one('experience_description', 'text', 'Job description', [inExperience('description')], EXPERIENCE),
  ...one('experience_deleted', 'flag', 'Job deleted', [inExperience('deleted')], EXPERIENCE),
  ...one('experience_company_id', 'integer', 'Company id', [inExperience('company_id')], EXPERIENCE),
  ...one('active_experience', 'flag', 'Job is current', [inExperience('is_current')], EXPERIENCE),
  ...one('keyword', 'text', 'Keyword', ['headline', 'summary', inExperience('title'), 'skills.skill']),
  ...one('education_institution_name', 'text', 'School', [inEducation('institution_name')], EDUCATION),
  ...one(
    'education_institution_exact_name',
    'exact',
    'School, exactly',
    [inEducation('institution_name')],
    EDUCATION,
  ),
  ...one('education_program_name', 'text', 'Degree', [inEducation('program_name')], EDUCATION),
  ...one('education_description', 'text', 'Studies', [inEducation('description')], EDUCATION),
  ...end('education_date_from', 'gte', 'Studied since', inEducation('date_from'), EDUCATION),
  ...end('education_date_to', 'lte', 'Studied until', inEducation('date_to'), EDUCATION),
  ...one(
    'education_institution_professional_network_url',
    'exact',
    'School profile URL',
    [inEducation('institution_url')],
    EDUCATION,
  ),
  ...one('is_hidden', 'flag', 'Hidden', ['is_hidden']),
];

const jobBase: readonly Filter[] = [
  ...range('created_at', 'datetime', 'Created', 'created'),
  ...range('last_updated', 'datetime', 'Last updated', 'last_updated'),
  ...one('title', 'text', 'Title', ['title']),
  ...one('keyword_description', 'text', 'Description', ['description']),
  ...one('employment_type', 'text', 'Employment type', ['employment_type']),
  ...one('location', 'text', 'Location', ['location']),
  ...one('company_id', 'integer', 'Company id', ['company_id']),
  ...one('company_name', 'text', 'Company', ['company_name']),
  ...one('company_domain', 'host', 'Company website', ['job_company_website']),
  ...one('company_exact_website', 'exact', 'Company website, exactly', ['job_company_website']),
  ...one('company_professional_network_url', 'exact', 'Company profile URL', ['company_url']),
  ...one('deleted', 'flag', 'Deleted', ['deleted']),
  ...one('application_active', 'flag', 'Open for applications', ['application_active']),
  ...one('country', 'text', 'Country', ['country']),
  ...one('industry', 'text', 'Industry', ['job_industry_collection.job_industry_list.industry']),
];

/** Contract, "Filters". All optional; several narrow the result. */
export const filters: Readonly<Record<FilterFamily, readonly Filter[]>> = {
  company_base: companyBase,
  employee_base: employeeBase,
  job_base: jobBase,
};
