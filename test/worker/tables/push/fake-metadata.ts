// Fake of developer metadata in the Sheets API: the search by key and the request that creates an entry, as the gateway
// sends them.
import * as z from 'zod';
import {
  createMetadataId,
  findMetadataProblem,
  isVisible,
} from '../../../../addon/dev/host/sheets/developer-metadata.ts';
import type { MetadataEntry } from '../../../../addon/dev/host/types.ts';
import { type FakeSheet, RefusedError } from './fake-sheet.ts';

const filterSchema = z.strictObject({
  developerMetadataLookup: z.strictObject({ metadataKey: z.string() }),
});
const metadataSearchSchema = z.strictObject({ dataFilters: z.tuple([filterSchema]) });

export const metadataStepSchema = z.strictObject({
  createDeveloperMetadata: z.strictObject({
    developerMetadata: z.strictObject({
      metadataKey: z.string(),
      metadataValue: z.string(),
      visibility: z.literal('DOCUMENT'),
      location: z.strictObject({
        dimensionRange: z.strictObject({
          sheetId: z.int().min(0),
          dimension: z.enum(['ROWS', 'COLUMNS']),
          startIndex: z.int().min(0),
          endIndex: z.int(),
        }),
      }),
    }),
  }),
});

/** Formats an entry. Google may leave out numbers that are 0, so they are missing. */
function formatEntry({ id, key, value, visibility, location }: MetadataEntry): object {
  const omitZero = (name: string, number: number): object => (number === 0 ? {} : { [name]: number });
  const place =
    location.type === 'ROW' || location.type === 'COLUMN'
      ? {
          dimensionRange: {
            ...omitZero('sheetId', location.sheet),
            dimension: location.type === 'ROW' ? 'ROWS' : 'COLUMNS',
            ...omitZero('startIndex', location.at - 1),
            endIndex: location.at,
          },
        }
      : {};
  return {
    metadataId: id,
    metadataKey: key,
    ...(value === null ? {} : { metadataValue: value }),
    visibility,
    location: { locationType: location.type, ...place },
  };
}

/** Answers `developerMetadata.search`; a list without entries is missing. */
export function searchMetadata(entries: readonly MetadataEntry[], body: unknown): object {
  const { dataFilters } = metadataSearchSchema.parse(body);
  const [{ developerMetadataLookup: lookup }] = dataFilters;
  const found = entries.filter((entry) => isVisible(entry) && entry.key === lookup.metadataKey);
  if (found.length === 0) return {};
  return {
    matchedDeveloperMetadata: found.map((entry) => ({ developerMetadata: formatEntry(entry), dataFilters })),
  };
}

/**
 * Validates one request and applies it to a draft.
 * @param draft - the entries after the requests before this one
 * @param sheets - the sheets after the requests before this one
 * @returns its reply; undefined for a request of another kind
 * @throws RefusedError for a place that is no single row or column of a sheet, and beyond Google's limits
 */
export function applyMetadataStep(
  draft: MetadataEntry[],
  sheets: readonly FakeSheet[],
  request: object,
): object | undefined {
  const parsed = metadataStepSchema.safeParse(request);
  if (!parsed.success) return undefined;
  const {
    metadataKey: key,
    metadataValue: value,
    visibility,
    location,
  } = parsed.data.createDeveloperMetadata.developerMetadata;
  const { sheetId, dimension, startIndex, endIndex } = location.dimensionRange;
  const sheet = sheets.find((each) => each.sheetId === sheetId);
  if (sheet === undefined) throw new RefusedError(`No grid with id: ${sheetId}`);
  if (endIndex !== startIndex + 1)
    throw new RefusedError('The dimension range must be a single row or column.');
  if (endIndex > (dimension === 'ROWS' ? sheet.rows : sheet.columns))
    throw new RefusedError('exceeds grid limits');
  // Unverified: as strict as for cells.
  if (sheet.isProtected) throw new RefusedError('You are trying to edit a protected cell or object.');
  const type = dimension === 'ROWS' ? 'ROW' : 'COLUMN';
  const entry: MetadataEntry = {
    id: createUnusedId(draft),
    key,
    value,
    visibility,
    location: { type, sheet: sheetId, at: endIndex },
  };
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
