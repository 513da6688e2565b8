// Fake of developer metadata in the Sheets API: searches and the requests that create, change and delete entries.
import * as z from 'zod';
import {
  createMetadataId,
  findMetadataProblem,
  getMetadataSheet,
  intersects,
  isSameLocation,
  matchesMetadata,
} from '../../../../addon/dev/host/sheets/developer-metadata.ts';
import type { MetadataEntry, MetadataLocation } from '../../../../addon/dev/host/types.ts';
import { type FakeSheet, RefusedError } from './fake-sheet.ts';

const locationSchema = z.union([
  z.strictObject({ spreadsheet: z.literal(true) }),
  z.strictObject({ sheetId: z.int().min(0) }),
  z.strictObject({
    dimensionRange: z.strictObject({
      sheetId: z.int().min(0),
      dimension: z.enum(['ROWS', 'COLUMNS']),
      startIndex: z.int().min(0),
      endIndex: z.int(),
    }),
  }),
]);
const visibilitySchema = z.enum(['DOCUMENT', 'PROJECT']);
const lookupSchema = z.strictObject({
  metadataId: z.int().exactOptional(),
  metadataKey: z.string().exactOptional(),
  metadataValue: z.string().exactOptional(),
  visibility: visibilitySchema.exactOptional(),
  locationType: z.enum(['SPREADSHEET', 'SHEET', 'ROW', 'COLUMN']).exactOptional(),
  metadataLocation: locationSchema.exactOptional(),
  locationMatchingStrategy: z.enum(['EXACT_LOCATION', 'INTERSECTING_LOCATION']).exactOptional(),
});
/** A data filter. Those by range are not needed. */
const filterSchema = z.strictObject({ developerMetadataLookup: lookupSchema });
type DataFilter = z.infer<typeof filterSchema>;

const FIELDS = ['metadataKey', 'metadataValue', 'visibility', 'location'] as const;

export const metadataStepSchemas = [
  z.strictObject({
    createDeveloperMetadata: z.strictObject({
      developerMetadata: z.strictObject({
        metadataId: z.int().positive().exactOptional(),
        metadataKey: z.string(),
        metadataValue: z.string().exactOptional(),
        visibility: visibilitySchema,
        location: locationSchema,
      }),
    }),
  }),
  z.strictObject({
    updateDeveloperMetadata: z.strictObject({
      dataFilters: z.array(filterSchema).min(1),
      developerMetadata: z.strictObject({
        metadataKey: z.string().exactOptional(),
        metadataValue: z.string().exactOptional(),
        visibility: visibilitySchema.exactOptional(),
        location: locationSchema.exactOptional(),
      }),
      fields: z.string(),
    }),
  }),
  z.strictObject({ deleteDeveloperMetadata: z.strictObject({ dataFilter: filterSchema }) }),
] as const;

const metadataSearchSchema = z.strictObject({ dataFilters: z.array(filterSchema).min(1) });

/** @throws RefusedError for a place that is not in the spreadsheet, or no single row or column */
function parseLocation(
  sheets: readonly FakeSheet[],
  location: z.infer<typeof locationSchema>,
): MetadataLocation {
  if ('spreadsheet' in location) return { type: 'SPREADSHEET' };
  const findSheet = (sheetId: number): FakeSheet => {
    const sheet = sheets.find((each) => each.sheetId === sheetId);
    if (sheet === undefined) throw new RefusedError(`No grid with id: ${sheetId}`);
    return sheet;
  };
  if ('sheetId' in location) return { type: 'SHEET', sheet: findSheet(location.sheetId).sheetId };
  const { sheetId, dimension, startIndex, endIndex } = location.dimensionRange;
  const { rows, columns } = findSheet(sheetId);
  if (endIndex !== startIndex + 1)
    throw new RefusedError('The dimension range must be a single row or column.');
  if (endIndex > (dimension === 'ROWS' ? rows : columns)) throw new RefusedError('exceeds grid limits');
  return { type: dimension === 'ROWS' ? 'ROW' : 'COLUMN', sheet: sheetId, at: endIndex };
}

/** Formats an entry. Google may leave out numbers that are 0, so they are missing. */
function formatEntry({ id, key, value, visibility, location }: MetadataEntry): object {
  return {
    metadataId: id,
    metadataKey: key,
    ...(value === null ? {} : { metadataValue: value }),
    visibility,
    location: { locationType: location.type, ...formatPlace(location) },
  };
}

function formatPlace(location: MetadataLocation): object {
  const omitZero = (name: string, number: number): object => (number === 0 ? {} : { [name]: number });
  if (location.type === 'SPREADSHEET') return { spreadsheet: true };
  if (location.type === 'SHEET') return omitZero('sheetId', location.sheet);
  return {
    dimensionRange: {
      ...omitZero('sheetId', location.sheet),
      dimension: location.type === 'ROW' ? 'ROWS' : 'COLUMNS',
      ...omitZero('startIndex', location.at - 1),
      endIndex: location.at,
    },
  };
}

/** Selects the entries that a filter finds. Reference "DeveloperMetadataLookup". */
function select(
  entries: readonly MetadataEntry[],
  sheets: readonly FakeSheet[],
  { developerMetadataLookup: lookup }: DataFilter,
): MetadataEntry[] {
  const { metadataLocation, locationMatchingStrategy: strategy, locationType } = lookup;
  if (strategy !== undefined && metadataLocation === undefined)
    throw new RefusedError('A matching strategy needs a location.');
  if (strategy === 'EXACT_LOCATION' && locationType !== undefined)
    throw new RefusedError('An exact location has no location type.');
  const place = metadataLocation === undefined ? undefined : parseLocation(sheets, metadataLocation);
  if (locationType === 'SPREADSHEET' && place !== undefined && place.type !== 'SPREADSHEET')
    throw new RefusedError('Metadata of the spreadsheet intersects no other location.');
  const isAtPlace = ({ location }: MetadataEntry): boolean =>
    place === undefined ||
    (strategy === 'EXACT_LOCATION' ? isSameLocation(location, place) : intersects(location, place));
  const { metadataId: id, metadataKey: key, metadataValue: value, visibility } = lookup;
  const criteria = {
    ...(id === undefined ? {} : { id }),
    ...(key === undefined ? {} : { key }),
    ...(value === undefined ? {} : { value }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(locationType === undefined ? {} : { locationType }),
  };
  return entries.filter((entry) => matchesMetadata(entry, criteria) && isAtPlace(entry));
}

/** Answers `developerMetadata.search`; a list without entries is missing. */
export function searchMetadata(
  entries: readonly MetadataEntry[],
  sheets: readonly FakeSheet[],
  body: unknown,
): object {
  const { dataFilters } = metadataSearchSchema.parse(body);
  const found = dataFilters.map((filter) => select(entries, sheets, filter));
  const matchedDeveloperMetadata = entries.flatMap((entry) => {
    const filters = dataFilters.filter((_, at) => found[at]?.includes(entry));
    return filters.length === 0 ? [] : [{ developerMetadata: formatEntry(entry), dataFilters: filters }];
  });
  return matchedDeveloperMetadata.length === 0 ? {} : { matchedDeveloperMetadata };
}

/** Answers `developerMetadata.get`; undefined for an unknown id. */
export function getMetadata(entries: readonly MetadataEntry[], id: number): object | undefined {
  const entry = entries.find((each) => matchesMetadata(each, { id }));
  return entry && formatEntry(entry);
}

/**
 * Validates one request and applies it to a draft.
 * @param draft - the entries after the requests before this one
 * @param sheets - the sheets after the requests before this one
 * @returns its reply; undefined for a request of another kind
 */
export function applyMetadataStep(
  draft: MetadataEntry[],
  sheets: readonly FakeSheet[],
  request: object,
): object | undefined {
  const parsed = z.union(metadataStepSchemas).safeParse(request);
  if (!parsed.success) return undefined;
  const put = (entry: MetadataEntry): void => {
    const sheet = sheets.find(({ sheetId }) => sheetId === getMetadataSheet(entry.location));
    // Unverified: as strict as for cells.
    if (sheet?.isProtected === true)
      throw new RefusedError('You are trying to edit a protected cell or object.');
    const problem = findMetadataProblem(entry, draft);
    if (problem !== null) throw new RefusedError(problem);
    const at = draft.findIndex(({ id }) => id === entry.id);
    draft.splice(at < 0 ? draft.length : at, at < 0 ? 0 : 1, entry);
  };
  const step = parsed.data;
  if ('createDeveloperMetadata' in step) {
    const { metadataId, metadataKey: key, ...rest } = step.createDeveloperMetadata.developerMetadata;
    if (draft.some(({ id }) => id === metadataId)) throw new RefusedError('The metadata id is in use.');
    const { metadataValue: value = null, visibility } = rest;
    const location = parseLocation(sheets, rest.location);
    const entry = { id: metadataId ?? createUnusedId(draft), key, value, visibility, location };
    put(entry);
    return { createDeveloperMetadata: { developerMetadata: formatEntry(entry) } };
  }
  if ('deleteDeveloperMetadata' in step) {
    const found = select(draft, sheets, step.deleteDeveloperMetadata.dataFilter);
    for (const entry of found) draft.splice(draft.indexOf(entry), 1);
    return { deleteDeveloperMetadata: { deletedDeveloperMetadata: found.map(formatEntry) } };
  }
  const { dataFilters, developerMetadata: changes, fields } = step.updateDeveloperMetadata;
  const names = z.array(z.enum(FIELDS)).parse(fields.split(','));
  const found = dataFilters.flatMap((filter) => select(draft, sheets, filter));
  const updated = found.map((entry): MetadataEntry => {
    const { metadataKey: key = '', metadataValue: value = null, visibility, location } = changes;
    const has = (name: (typeof FIELDS)[number]): boolean => names.includes(name);
    return {
      ...entry,
      ...(has('metadataKey') ? { key } : {}),
      ...(has('metadataValue') ? { value } : {}),
      ...(has('visibility') && visibility !== undefined ? { visibility } : {}),
      ...(has('location') && location !== undefined ? { location: parseLocation(sheets, location) } : {}),
    };
  });
  for (const entry of updated) put(entry);
  return { updateDeveloperMetadata: { developerMetadata: updated.map(formatEntry) } };
}

/** Returns an id that no entry has. */
export function createUnusedId(entries: readonly MetadataEntry[]): number {
  for (let count = entries.length + 1; ; count += 1) {
    const id = createMetadataId(count);
    if (!entries.some((entry) => entry.id === id)) return id;
  }
}
