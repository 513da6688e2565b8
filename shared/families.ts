// The record families of the service: what each is called, how it is addressed and how long it stays fresh.

const DAY_S = 86_400;

/** How a key can be spelt by a person or a program; `url` and `auto` are resolved to one of the other three. */
export const keySpellings = ['website', 'id', 'shorthand_name', 'url', 'auto'] as const;
export type KeySpelling = (typeof keySpellings)[number];

/** The kinds of key under which a record is stored. */
export const keyKinds = ['website', 'id', 'shorthand_name'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** What the families are about. */
export type Subject = 'company' | 'employee' | 'job' | 'post';

interface SubjectFacts {
  /** What people call one record. */
  label: string;
  /** The path segments of a profile URL behind which the shorthand name stands. */
  profileSegments: readonly string[];
  /** Seconds for which a bought record is fresh. */
  freshForS: number;
  /** What the service says where there is no such record. */
  missing: string;
}

export const subjects: Readonly<Record<Subject, SubjectFacts>> = {
  company: {
    label: 'Company',
    profileSegments: ['company', 'school', 'showcase'],
    freshForS: 30 * DAY_S,
    missing: 'Company not found',
  },
  employee: {
    label: 'Employee',
    profileSegments: ['in', 'pub'],
    freshForS: 14 * DAY_S,
    missing: 'Member not found',
  },
  job: { label: 'Job posting', profileSegments: [], freshForS: DAY_S, missing: 'Job not found' },
  post: { label: 'Post', profileSegments: [], freshForS: 7 * DAY_S, missing: 'Post not found' },
};

interface FamilyFacts {
  subject: Subject;
  /** What tells this family from the others of its subject. */
  variant: string;
  /** The fields of a record that hold its keys; a shorthand name may stand there as a profile URL. */
  keyFields: { website: readonly string[]; shorthand_name: readonly string[] };
  /** The field that says when a record was last changed. */
  updatedField: string;
  /** Shown where nobody named fields. */
  defaultFields: readonly string[];
}

const none: readonly string[] = [];

const cleanCompany = {
  keyFields: {
    website: ['websites_main', 'websites_main_original'],
    shorthand_name: ['websites_professional_network_canonical', 'websites_professional_network'],
  },
  updatedField: 'last_updated',
  defaultFields: ['name', 'industry', 'size_range', 'location_hq_country', 'founded'],
} as const;

const cleanEmployee = {
  keyFields: { website: none, shorthand_name: ['websites_professional_network', 'shorthand_names'] },
  updatedField: 'last_updated',
  defaultFields: ['full_name', 'job_title', 'management_level', 'location_full'],
} as const;

const baseJob = {
  keyFields: { website: none, shorthand_name: none },
  updatedField: 'last_updated',
  defaultFields: ['title', 'company_name', 'location', 'seniority', 'created'],
} as const;

const table = () =>
  ({
    company_clean: { subject: 'company', variant: 'clean', ...cleanCompany },
    company_base: {
      subject: 'company',
      variant: 'base',
      keyFields: {
        website: ['website'],
        shorthand_name: ['canonical_shorthand_name', 'company_shorthand_name'],
      },
      updatedField: 'last_updated',
      defaultFields: ['name', 'website', 'industry', 'size', 'headquarters_country_parsed', 'founded'],
    },
    company_multi_source: { subject: 'company', variant: 'multi-source', ...cleanCompany },
    employee_clean: { subject: 'employee', variant: 'clean', ...cleanEmployee },
    employee_base: {
      subject: 'employee',
      variant: 'base',
      keyFields: { website: none, shorthand_name: ['shorthand_name', 'profile_url', 'shorthand_names'] },
      updatedField: 'updated_at',
      defaultFields: ['full_name', 'headline', 'location', 'industry'],
    },
    employee_multi_source: { subject: 'employee', variant: 'multi-source', ...cleanEmployee },
    job_base: { subject: 'job', variant: 'base', ...baseJob },
    job_multi_source: { subject: 'job', variant: 'multi-source', ...baseJob },
    employee_post: {
      subject: 'post',
      variant: 'base',
      keyFields: { website: none, shorthand_name: none },
      updatedField: 'created_at',
      defaultFields: ['author_name', 'date_published', 'article_body', 'reaction_count'],
    },
  }) as const satisfies Record<string, FamilyFacts>;

/** Family names are their path segments in the service's URLs. A page that needs no facts carries none: hence the call. */
export const families = /* @__PURE__ */ table();

export type Family = keyof typeof families;

/** Every family's name, in the order in which people see them. */
export const familyNames = /* @__PURE__ */ Object.keys(families).filter(isFamily);

/**
 * Tells whether a text is the name of a family.
 * @param name - any text
 */
export function isFamily(name: string): name is Family {
  return Object.keys(families).includes(name);
}

/**
 * What is true of every family of a subject.
 */
export function subjectOf(family: Family): SubjectFacts {
  return subjects[families[family].subject];
}

/** Seconds for which "no such record" is remembered. */
export const notFoundFreshForS = DAY_S;

/** So long, in seconds, a page of a preview is fresh. */
export const previewFreshForS = DAY_S;

/** Seconds after which a bought record must be gone: twelve months. */
export const keepForS = 365 * DAY_S;
