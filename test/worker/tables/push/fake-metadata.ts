// Fake of developer metadata in the Sheets API: searches by key and the requests that create entries.
import * as z from 'zod';
import {
  createMetadataId,
  findMetadataProblem,
  getMetadataSheet,
  isVisible,
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
const lookupSchema = z.strictObject({ metadataKey: z.string().exactOptional() });
/** A data filter. Others are not needed. */
const filterSchema = z.strictObject({ developerMetadataLookup: lookupSchema });

export const metadataStepSchema = z.strictObject({
  createDeveloperMetadata: z.strictObject({
    developerMetadata: z.strictObject({
      metadataId: z.int().positive().exactOptional(),
      metadataKey: z.string(),
      metadataValue: z.string().exactOptional(),
      visibility: visibilitySchema,
      location: locationSchema,
    }),
  }),
});

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

/** Answers `developerMetadata.search`; a list without entries is missing. */
export function searchMetadata(entries: readonly MetadataEntry[], body: unknown): object {
  const { dataFilters } = metadataSearchSchema.parse(body);
  const matchedDeveloperMetadata = entries.filter(isVisible).flatMap((entry) => {
    const filters = dataFilters.filter(
      ({ developerMetadataLookup: { metadataKey = entry.key } }) => metadataKey === entry.key,
    );
    return filters.length === 0 ? [] : [{ developerMetadata: formatEntry(entry), dataFilters: filters }];
  });
  return matchedDeveloperMetadata.length === 0 ? {} : { matchedDeveloperMetadata };
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
  const parsed = metadataStepSchema.safeParse(request);
  if (!parsed.success) return undefined;
  const { metadataId, metadataKey: key, ...rest } = parsed.data.createDeveloperMetadata.developerMetadata;
  if (draft.some(({ id }) => id === metadataId)) throw new RefusedError('The metadata id is in use.');
  const { metadataValue: value = null, visibility } = rest;
  const location = parseLocation(sheets, rest.location);
  const entry = { id: metadataId ?? createUnusedId(draft), key, value, visibility, location };
  const sheet = sheets.find(({ sheetId }) => sheetId === getMetadataSheet(location));
  // Unverified: as strict as for cells.
  if (sheet?.isProtected === true)
    throw new RefusedError('You are trying to edit a protected cell or object.');
  const problem = findMetadataProblem(entry, draft);
  if (problem !== null) throw new RefusedError(problem);
  draft.push(entry);
  return { createDeveloperMetadata: { developerMetadata: formatEntry(entry) } };
}

/** Returns an id that no entry has. */
export function createUnusedId(entries: readonly MetadataEntry[]): number {
  for (let count = entries.length + 1; ; count += 1) {
    const id = createMetadataId(count);
    if (!entries.some((entry) => entry.id === id)) return id;
  }
}
