// Makes the two variants of a company of one row of a table.
import { normaliseId } from '../../../shared/keys/index.ts';
import { getSizeCategory } from '../api/size-category.ts';
import { type Location, parseLocations } from './parse-location.ts';

/** The headings that are understood; another table's are led to these by a map. */
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

/** A row by heading; cells that the table lacks are absent. */
export type CompanyRow = Partial<Record<Heading, string>>;

/** A record, or why the row is none. */
export type RowResult<T> = { ok: true; value: T } | { ok: false; reason: string };

type JsonRecord = Record<string, unknown>;

/** Profile pages of imported companies; a host that can belong to nobody (RFC 2606). */
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

/** A 31st of February is read as a day in March: what comes back tells whether it exists. */
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
 * Makes the records of one row.
 * @returns the id and one record for each variant, or the first reason why the row is refused
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
  const launched = parseDate(row.launched_at);
  if (launched === undefined) return { ok: false, reason: `launched_at "${row.launched_at}" is no date` };

  const id = Number(key.value);
  const website = toTextOrNull(row.website);
  const industry = toTextOrNull(row.industry);
  const description = toTextOrNull(row.description);
  const slug = toTextOrNull(row.slug);
  const profileUrl = slug === null ? null : PROFILE_URL + slug;
  const tags = toList(row.tags);
  const places = parseLocations(row.locations ?? '');
  const [headquarters] = places;
  const size = employees === null || employees === 0 ? null : getSizeCategory(employees);
  const founded = launched?.year ?? null;
  const status = toTextOrNull(row.status);
  const shared = { id, name, industry, description, ...(status === null ? {} : { status }) };

  const company_clean: JsonRecord = {
    ...shared,
    // A year is text here and a number in the base record, as the service's indexes have them.
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
    locations_full: places.map((place, at) => buildCleanLocation(place, at === 0)),
    created_at: launched?.day ?? null,
    last_updated: launched?.day ?? null,
  };
  const stamps = { created: launched?.time ?? null, last_updated: launched?.time ?? null, deleted: 0 };
  const company_base: JsonRecord = {
    ...shared,
    founded,
    ...stamps,
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
    company_locations_collection: places.map(({ address }, at) => ({
      id: at + 1,
      location_address: address,
      is_primary: at === 0 ? 1 : 0,
      ...stamps,
    })),
    company_specialties_collection: tags.map((specialty, at) => ({ id: at + 1, specialty, ...stamps })),
  };
  return { ok: true, value: { id: key.value, company_clean, company_base } };
}
