// The record families of the service: what each is called, how it is addressed and how long it stays fresh.

const DAY_S = 86_400;

/** How a key can be spelt by a person or a program; `url` and `auto` are resolved to one of the other three. */
export const keySpellings = ['website', 'id', 'shorthand_name', 'url', 'auto'] as const;
export type KeySpelling = (typeof keySpellings)[number];

/** The kinds of key under which a record is stored. */
export const keyKinds = ['website', 'id', 'shorthand_name'] as const;
export type KeyKind = (typeof keyKinds)[number];

interface FamilyFacts {
  /** What people call one record. */
  label: string;
  /** The first path segment of its profile URLs, where it has any. */
  profileSegments: readonly string[];
  /** Seconds for which a bought record is fresh. */
  freshForS: number;
  /** The fields of a record that hold its keys; a shorthand name may stand there as a profile URL. */
  keyFields: { website: readonly string[]; shorthand_name: readonly string[] };
  /** Shown where nobody named fields. */
  defaultFields: readonly string[];
}

/** Family names are their path segments in the service's URLs. */
export const families = {
  company_clean: {
    label: 'Company',
    profileSegments: ['company', 'school', 'showcase'],
    freshForS: 30 * DAY_S,
    keyFields: {
      website: ['websites_main', 'websites_main_original'],
      shorthand_name: ['websites_professional_network_canonical', 'websites_professional_network'],
    },
    defaultFields: ['name', 'industry', 'size_range', 'location_hq_country', 'founded'],
  },
  company_base: {
    label: 'Company (base)',
    profileSegments: ['company', 'school', 'showcase'],
    freshForS: 30 * DAY_S,
    keyFields: {
      website: ['website'],
      shorthand_name: ['canonical_shorthand_name', 'company_shorthand_name'],
    },
    defaultFields: ['name', 'website', 'industry', 'size', 'headquarters_country_parsed', 'founded'],
  },
} as const satisfies Record<string, FamilyFacts>;

export type Family = keyof typeof families;

/** Every family's name, in the order in which people see them. */
export const familyNames = Object.keys(families).filter(isFamily);

/**
 * Tells whether a text is the name of a family.
 * @param name - any text
 */
export function isFamily(name: string): name is Family {
  return Object.keys(families).includes(name);
}

/** Seconds for which "no such record" is remembered. */
export const notFoundFreshForS = DAY_S;

/** Seconds after which a bought record must be gone: twelve months. */
export const keepForS = 365 * DAY_S;
