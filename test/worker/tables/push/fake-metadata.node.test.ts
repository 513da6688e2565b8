// Developer metadata in the fake of the Sheets API.
import { importPKCS8, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { EMAIL, FakeGoogle, FakeSpreadsheet, keyFile, SHEETS_URL, TOKEN_URL } from './fake-google.ts';
import { FakeSheet } from './fake-sheet.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const COLUMN_B = { sheetId: 7, dimension: 'COLUMNS', startIndex: 1, endIndex: 2 };
let book: FakeSpreadsheet;
let sheet: FakeSheet;
let google: FakeGoogle;
let token: string;

beforeEach(async () => {
  sheet = new FakeSheet(7, 'Companies');
  book = new FakeSpreadsheet('book', new FakeSheet(0, 'Notes'), sheet);
  google = new FakeGoogle(() => NOW, book);
  const assertion = await new SignJWT({ scope: 'https://www.googleapis.com/auth/spreadsheets' })
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(EMAIL)
    .setAudience(TOKEN_URL)
    .setIssuedAt(NOW / 1000)
    .setExpirationTime(NOW / 1000 + 60)
    .sign(await importPKCS8(keyFile.private_key, 'RS256'));
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  const response = await send(TOKEN_URL, new URLSearchParams(grant));
  token = String(response.body.access_token);
});

async function send(url: string, body?: BodyInit) {
  const response = await google.fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
    signal: new AbortController().signal,
  });
  const json: Record<string, unknown> = await response.json();
  return { status: response.status, body: json };
}

const call = (path: string, body: unknown) => send(`${SHEETS_URL}/book${path}`, JSON.stringify(body));
const update = (...requests: unknown[]) => call(':batchUpdate', { requests });
const create = (location: object, more: object = {}) => ({
  createDeveloperMetadata: {
    developerMetadata: { metadataKey: 'k', visibility: 'DOCUMENT', location, ...more },
  },
});
const search = (lookup: object) =>
  call('/developerMetadata:search', { dataFilters: [{ developerMetadataLookup: lookup }] });
const listColumns = () =>
  book.metadata.flatMap(({ location }) => (location.type === 'COLUMN' ? location.at : []));

describe('developer metadata', () => {
  it('is created, and found by a read', async () => {
    const entry = {
      ...{ metadataId: 5, metadataKey: 'k', metadataValue: 'v', visibility: 'DOCUMENT' },
      location: { locationType: 'COLUMN', dimensionRange: COLUMN_B },
    };
    const created = await update(
      create({ dimensionRange: COLUMN_B }, { metadataId: 5, metadataValue: 'v' }),
      create({ spreadsheet: true }, { metadataKey: 'l' }),
    );
    expect(created.body.replies).toMatchObject([
      { createDeveloperMetadata: { developerMetadata: entry } },
      {},
    ]);
    expect((await search({ metadataKey: 'k' })).body).toEqual({
      matchedDeveloperMetadata: [
        { developerMetadata: entry, dataFilters: [{ developerMetadataLookup: { metadataKey: 'k' } }] },
      ],
    });
    expect((await search({ metadataKey: 'other' })).body).toEqual({});
    expect(google.count('read')).toBe(2);
  });

  it('leaves out numbers that are 0', async () => {
    await update(create({ dimensionRange: { ...COLUMN_B, sheetId: 0, startIndex: 0, endIndex: 1 } }));
    const { body } = await search({});
    expect(body).toMatchObject({
      matchedDeveloperMetadata: [
        { developerMetadata: { location: { dimensionRange: { dimension: 'COLUMNS', endIndex: 1 } } } },
      ],
    });
    expect(JSON.stringify(body)).not.toMatch(/sheetId|startIndex/);
  });

  it.each([
    ['several columns', create({ dimensionRange: { ...COLUMN_B, endIndex: 3 } })],
    ['a column outside the grid', create({ dimensionRange: { ...COLUMN_B, startIndex: 10, endIndex: 11 } })],
    ['an unknown sheet', create({ sheetId: 8 })],
    ['more than 30,000 characters', create({ sheetId: 7 }, { metadataValue: 'x'.repeat(30_000) })],
    ['an empty key', create({ sheetId: 7 }, { metadataKey: '' })],
  ])('refuses %s, and the whole batch', async (_, request) => {
    expect((await update(create({ spreadsheet: true }), request)).status).toBe(400);
    expect(book.metadata).toEqual([]);
  });

  it('stays with its column, and goes with it', async () => {
    await update(create({ dimensionRange: COLUMN_B }));
    sheet.shift({ axis: 'column', at: 1, count: 2 });
    expect(listColumns()).toEqual([4]);
    sheet.reorder('column', [4, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(listColumns()).toEqual([1]);
    sheet.shift({ axis: 'column', at: 1, count: -1 });
    expect(listColumns()).toEqual([]);
  });

  it('is copied with a sheet, or not', async () => {
    await update(create({ dimensionRange: COLUMN_B }), create({ sheetId: 7 }));
    book.copySheet(sheet, 8, false);
    book.copySheet(sheet, 9, true);
    expect(book.metadata.map(({ location }) => location)).toEqual([
      { type: 'COLUMN', sheet: 7, at: 2 },
      { type: 'SHEET', sheet: 7 },
      { type: 'COLUMN', sheet: 9, at: 2 },
      { type: 'SHEET', sheet: 9 },
    ]);
    expect(new Set(book.metadata.map(({ id }) => id)).size).toBe(4);
  });

  it('of another project is invisible unless the document shows it', async () => {
    const foreign = {
      id: 1,
      key: 'k',
      value: null,
      isForeign: true,
      location: { type: 'SPREADSHEET' },
    } as const;
    book.metadata = [
      { ...foreign, visibility: 'PROJECT' },
      { ...foreign, id: 2, visibility: 'DOCUMENT' },
    ];
    expect((await search({ metadataKey: 'k' })).body.matchedDeveloperMetadata).toMatchObject([
      { developerMetadata: { metadataId: 2 } },
    ]);
  });
});
