// Builds the clean and the base record of a company from one table row.
import countries from 'i18n-iso-countries';
import { normaliseId } from '../../../shared/keys/index.ts';
import { getKnownValues } from '../../../shared/query/known-values.ts';

/** The supported column headings; a mapping can translate others to them. */
export const knownHeadings = [
  'id',
  'name',
  'slug',
  'website',
  'headline',
  'description',
  'industry',
  'sub_industry',
  'tags',
  'team_size',
  'locations',
  'regions',
  'status',
  'launched_at',
] as const;
export type Heading = (typeof knownHeadings)[number];

/** A row by heading; missing columns are absent. */
export type CompanyRow = Partial<Record<Heading, string>>;

/** A value, or why the row is rejected. */
export type RowResult<T> = { ok: true; value: T } | { ok: false; reason: string };

type JsonRecord = Record<string, unknown>;

/** Base URL of profile pages of imported companies, on a reserved host (RFC 2606). */
const PROFILE_URL = 'https://www.professional-network.example/company/';

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2}))?$/;
const MISSING = /^unspecified$/i;

const toTextOrNull = (text: string | undefined): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' || MISSING.test(trimmed) ? null : trimmed;
};

const toList = (text: string | undefined): string[] =>
  (text ?? '').split(';').flatMap((part) => toTextOrNull(part) ?? []);

function parseSize(text: string | undefined): number | null | undefined {
  const size = toTextOrNull(text);
  if (size === null) return null;
  return /^\d{1,9}$/.test(size) ? Number(size) : undefined;
}

/** Checks that a date exists: Date reads the 31st of February as a day in March. */
function isDateTime(day: string, time: string): boolean {
  const moment = new Date(`${day}T${time}Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(`${day}T${time}`);
}

function parseDate(text: string | undefined): { day: string; time: string; year: number } | null | undefined {
  const date = toTextOrNull(text);
  if (date === null) return null;
  const [, day, time = '00:00:00'] = DATE.exec(date) ?? [];
  if (day === undefined || !isDateTime(day, time)) return undefined;
  return { day, time: `${day} ${time}`, year: Number(day.slice(0, 4)) };
}

function buildCleanLocation(place: Location, isPrimary: boolean): JsonRecord {
  return {
    location_address: place.address,
    is_primary: isPrimary,
    country: place.country,
    country_iso_2: place.countryIso2,
    country_iso_3: place.countryIso3,
    regions: [],
    state: place.state,
    city: place.city,
  };
}

/**
 * Builds the records of one row.
 * @returns the id and one record for each variant, or the first reason why the row is rejected
 */
export function buildCompanyRecords(
  row: CompanyRow,
): RowResult<{ id: string; company_clean: JsonRecord; company_base: JsonRecord }> {
  const key = normaliseId(row.id ?? '');
  if (!key.ok || !Number.isSafeInteger(Number(key.value)))
    return { ok: false, reason: `id "${row.id ?? ''}" is no id` };
  const name = toTextOrNull(row.name);
  if (name === null) return { ok: false, reason: 'name is missing' };
  const employees = parseSize(row.team_size);
  if (employees === undefined)
    return { ok: false, reason: `team_size "${row.team_size}" is no whole number` };
  const launchedAt = parseDate(row.launched_at);
  if (launchedAt === undefined) return { ok: false, reason: `launched_at "${row.launched_at}" is no date` };

  const id = Number(key.value);
  const website = toTextOrNull(row.website);
  const industry = toTextOrNull(row.industry);
  const description = toTextOrNull(row.description);
  const slug = toTextOrNull(row.slug);
  const profileUrl = slug === null ? null : PROFILE_URL + slug;
  const tags = toList(row.tags);
  const locations = parseLocations(row.locations ?? '');
  const [headquarters] = locations;
  const size = employees === null || employees === 0 ? null : (getSizeCategory(employees) ?? null);
  const founded = launchedAt?.year ?? null;
  const status = toTextOrNull(row.status);
  const shared = { id, name, industry, description, ...(status === null ? {} : { status }) };

  const company_clean: JsonRecord = {
    ...shared,
    // The service's indexes have the year as text here and as a number in the base record.
    founded: founded === null ? null : String(founded),
    websites_main_original: website,
    websites_main: website,
    websites_professional_network: profileUrl,
    websites_professional_network_canonical: profileUrl,
    size_range: size,
    size_employees_count: employees,
    enriched_summary: toTextOrNull(row.headline),
    enriched_category: toTextOrNull(row.sub_industry),
    specialities: tags,
    technologies: tags.map((technology) => ({ technology })),
    location_hq_raw_address: headquarters?.address ?? null,
    location_hq_country: headquarters?.country ?? null,
    location_hq_country_iso_2: headquarters?.countryIso2 ?? null,
    location_hq_country_iso_3: headquarters?.countryIso3 ?? null,
    location_hq_state: headquarters?.state ?? null,
    location_hq_city: headquarters?.city ?? null,
    location_hq_regions: toList(row.regions),
    locations_full: locations.map((place, at) => buildCleanLocation(place, at === 0)),
    created_at: launchedAt?.day ?? null,
    last_updated: launchedAt?.day ?? null,
  };
  const timestamps = {
    created: launchedAt?.time ?? null,
    last_updated: launchedAt?.time ?? null,
    deleted: 0,
  };
  const company_base: JsonRecord = {
    ...shared,
    founded,
    ...timestamps,
    url: profileUrl,
    canonical_url: profileUrl,
    company_shorthand_name: slug,
    canonical_shorthand_name: slug,
    source_id: id,
    website,
    size,
    employees_count: employees,
    headquarters_new_address: headquarters?.address ?? null,
    headquarters_city: headquarters?.city ?? null,
    headquarters_state: headquarters?.state ?? null,
    headquarters_country: headquarters?.countryIso2 ?? null,
    headquarters_country_parsed: headquarters?.country ?? null,
    company_locations_collection: locations.map(({ address }, at) => ({
      id: at + 1,
      location_address: address,
      is_primary: at === 0 ? 1 : 0,
      ...timestamps,
    })),
    company_specialties_collection: tags.map((specialty, at) => ({ id: at + 1, specialty, ...timestamps })),
  };
  return { ok: true, value: { id: key.value, company_clean, company_base } };
}

/**
 * Returns the category of a company.
 * @param employees - at least 1
 */
function getSizeCategory(employees: number): string | undefined {
  return getKnownValues('size').find((category) => {
    const [, most] = /-([\d,]+)/.exec(category) ?? [];
    return most === undefined || employees <= Number(most.replace(',', ''));
  });
}

/** A location; missing parts are null. */
export interface Location {
  address: string;
  city: string | null;
  state: string | null;
  country: string | null;
  countryIso2: string | null;
  countryIso3: string | null;
}

const NOT_A_PLACE = /^(?:remote|unspecified|worldwide)?$/i;
const STATE_CODE = /^[A-Z]{2}$/;

function findIso2Code(country: string): string | undefined {
  const code = country.toUpperCase();
  if (code === 'UK') return 'GB';
  return countries.alpha3ToAlpha2(code) ?? countries.getSimpleAlpha2Code(country, 'en');
}

/**
 * Parses one location.
 * @returns undefined if the text names none
 */
function parseLocation(text: string): Location | undefined {
  const address = text.trim();
  if (NOT_A_PLACE.test(address)) return undefined;
  const parts = address.split(',').map((part) => part.trim());
  const last = parts[parts.length - 1] ?? '';
  const iso2 = parts.length > 1 ? findIso2Code(last) : undefined;
  const cityAndState = iso2 === undefined && parts.length < 3 ? parts : parts.slice(0, -1);
  const [first = null, second = null] = cityAndState;
  const isStateOnly = cityAndState.length === 1 && first !== null && STATE_CODE.test(first);
  return {
    address,
    city: isStateOnly ? null : first,
    state: isStateOnly ? first : second,
    country: iso2 === undefined ? (parts.length >= 3 ? last : null) : (countries.getName(iso2, 'en') ?? last),
    countryIso2: iso2 ?? null,
    countryIso3: iso2 === undefined ? null : (countries.alpha2ToAlpha3(iso2) ?? null),
  };
}

/** Parses a list of locations, separated by semicolons; the first is the headquarters. */
function parseLocations(text: string): Location[] {
  return text.split(';').flatMap((part) => parseLocation(part) ?? []);
}
