// Fake of Google's token endpoint and Sheets API; as strict as the documented behaviour.
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import * as z from 'zod';
import { getMetadataSheet } from '../../../../addon/dev/host/sheets/developer-metadata.ts';
import type { MetadataEntry } from '../../../../addon/dev/host/types.ts';
import {
  FORMAT_FIELDS,
  linkCellsSchema,
  prepareFormatUpdate,
  readFormats,
  updateCellsSchema,
} from './fake-formats.ts';
import { applyMetadataStep, createUnusedId, metadataStepSchema, searchMetadata } from './fake-metadata.ts';
import { type FakeSheet, parseRange, RefusedError, toCellInputs } from './fake-sheet.ts';
import { prepareSheetStep, sheetStepSchemas } from './fake-sheet-steps.ts';

export const TOKEN_URL = 'https://oauth2.google.example/token';
export const SHEETS_URL = 'https://sheets.google.example/v4/spreadsheets';
export const EMAIL = 'pusher@project.iam.gserviceaccount.com';
const SCOPE = 'https://www.googleapis.com/auth/spreadsheets';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const MAX_BYTES = 2_000_000;
const MINUTE_MS = 60_000;
const MAX_CALLS = 60;
const MAX_URL = 8_000;

const keys = await generateKeyPair('RS256', { extractable: true });

/** A key that the fake does not know. */
export const otherKey = await exportPKCS8((await generateKeyPair('RS256', { extractable: true })).privateKey);

/** A key file with more fields than needed. */
export const keyFile = {
  type: 'service_account',
  private_key: await exportPKCS8(keys.privateKey),
  client_email: EMAIL,
  token_uri: 'https://elsewhere.example/token',
};

const claimsSchema = z.strictObject({
  iss: z.literal(EMAIL),
  scope: z.literal(SCOPE),
  aud: z.literal(TOKEN_URL),
  iat: z.int(),
  exp: z.int(),
});
const cellValueSchema = z.union([z.string(), z.number(), z.boolean()]);
const writeValuesSchema = z.strictObject({
  valueInputOption: z.string(),
  data: z
    .array(z.strictObject({ range: z.string(), values: z.array(z.array(cellValueSchema.nullable())) }))
    .min(1),
});
const rangeSchema = z.strictObject({
  sheetId: z.int(),
  startRowIndex: z.int(),
  endRowIndex: z.int(),
  startColumnIndex: z.int(),
  endColumnIndex: z.int(),
});
const batchUpdateSchema = z.strictObject({
  requests: z
    .array(
      z.union([
        z.strictObject({ updateCells: z.union([updateCellsSchema, linkCellsSchema]) }),
        ...sheetStepSchemas,
        metadataStepSchema,
        z.strictObject({
          appendDimension: z.strictObject({
            sheetId: z.int(),
            dimension: z.enum(['ROWS', 'COLUMNS']),
            length: z.int().positive(),
          }),
        }),
        z.strictObject({
          repeatCell: z.strictObject({
            range: rangeSchema,
            cell: z.strictObject({
              userEnteredFormat: z.strictObject({
                numberFormat: z.strictObject({
                  type: z.enum(['DATE', 'DATE_TIME', 'NUMBER']),
                  pattern: z.string(),
                }),
              }),
            }),
            fields: z.literal('userEnteredFormat.numberFormat'),
          }),
        }),
      ]),
    )
    .min(1),
});

/** Reads that send a body. */
const SEARCH = '/developerMetadata:search';

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** Creates an error response of Google. */
export function googleError(
  code: number,
  message: string,
  reason?: string,
  headers: HeadersInit = {},
): Response {
  const details =
    reason === undefined
      ? {}
      : { details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] };
  return Response.json(
    { error: { code, message, status: statuses[code], ...details } },
    { status: code, headers },
  );
}

/** Fault of a write; `lost`: no response. */
export interface Fault {
  applied: boolean;
  outcome: 'lost' | Response;
}

export interface Call {
  kind: 'token' | 'read' | 'write';
  at: number;
  bytes: number;
  status: number;
}

export class FakeSpreadsheet {
  readonly id: string;
  timeZone = 'Etc/UTC';
  readonly editors = new Set([EMAIL]);
  readonly sheets: FakeSheet[];
  #metadata: readonly MetadataEntry[] = [];

  constructor(id: string, ...grids: FakeSheet[]) {
    this.id = id;
    this.sheets = grids;
  }

  /** Developer metadata: that of the spreadsheet, then that of its sheets. */
  get metadata(): readonly MetadataEntry[] {
    return [...this.#metadata, ...this.sheets.flatMap((sheet) => sheet.metadata)];
  }

  set metadata(entries: readonly MetadataEntry[]) {
    const listFor = (id: number | null): MetadataEntry[] =>
      entries.filter(({ location }) => getMetadataSheet(location) === id);
    this.#metadata = listFor(null);
    for (const sheet of this.sheets) sheet.metadata = listFor(sheet.sheetId);
  }

  /**
   * Copies a sheet as a person does.
   * @param copiesMetadata - whether Google copies developer metadata is unverified
   */
  copySheet(source: FakeSheet, sheetId: number, copiesMetadata: boolean): FakeSheet {
    const copy = source.copy(sheetId, `Copy of ${source.title}`);
    this.sheets.push(copy);
    for (const entry of copiesMetadata ? source.metadata : []) {
      if (entry.location.type === 'SPREADSHEET') continue;
      const location = { ...entry.location, sheet: sheetId };
      copy.metadata = [...copy.metadata, { ...entry, id: createUnusedId(this.metadata), location }];
    }
    return copy;
  }
}

export class FakeGoogle {
  readonly spreadsheets: FakeSpreadsheet[];
  readonly calls: Call[] = [];
  /** Faults by number of the write, from 1. */
  readonly faults = new Map<number, Fault>();
  /** Replaces the next responses to calls of a kind. */
  readonly overrides: { kind: Call['kind']; answer: Response | Error }[] = [];
  /** Real lifetime of tokens in seconds; responses always say an hour. */
  tokenLife = 3600;
  readonly #now: () => number;
  readonly #tokens = new Map<string, number>();

  constructor(now: () => number, ...books: FakeSpreadsheet[]) {
    this.#now = now;
    this.spreadsheets = books;
  }

  count(kind: Call['kind']): number {
    return this.calls.filter((call) => call.kind === kind).length;
  }

  readonly fetch = async (address: string, init: RequestInit): Promise<Response> => {
    const url = new URL(address);
    if (address.length > MAX_URL) throw new Error('the URL is too long');
    if (init.signal === undefined || init.signal === null) throw new Error('the call has no timeout');
    const kind =
      address === TOKEN_URL
        ? 'token'
        : init.method === 'GET' || url.pathname.endsWith(SEARCH)
          ? 'read'
          : 'write';
    const body = init.body instanceof URLSearchParams ? init.body.toString() : String(init.body ?? '');
    const bytes = new TextEncoder().encode(body).length;
    const call: Call = { kind, at: this.#now(), bytes, status: 0 };
    this.calls.push(call);
    const at = this.overrides.findIndex((each) => each.kind === kind);
    const [override] = at < 0 ? [] : this.overrides.splice(at, 1);
    if (override?.answer instanceof Error) throw override.answer;
    const answer =
      override?.answer ??
      (kind === 'token' ? await this.#grant(new URLSearchParams(body)) : this.#sheets(url, init, body, call));
    call.status = answer.status;
    return answer;
  };

  async #grant(form: URLSearchParams): Promise<Response> {
    const refuse = (error: string, description: string): Response =>
      Response.json({ error, error_description: description }, { status: 400 });
    if (form.get('grant_type') !== GRANT) return refuse('unsupported_grant_type', 'Invalid grant_type');
    try {
      const { payload } = await jwtVerify(form.get('assertion') ?? '', keys.publicKey, {
        algorithms: ['RS256'],
        currentDate: new Date(this.#now()),
      });
      const { iat, exp } = claimsSchema.parse(payload);
      if (exp - iat > 3600 || Math.abs(iat * 1000 - this.#now()) > MINUTE_MS)
        throw new Error('not short-lived');
    } catch {
      return refuse('invalid_grant', 'Invalid JWT Signature.');
    }
    const token = `ya29.${crypto.randomUUID()}`;
    this.#tokens.set(token, this.#now() + this.tokenLife * 1000);
    return Response.json({ access_token: token, expires_in: 3600, token_type: 'Bearer' });
  }

  #sheets(url: URL, init: RequestInit, body: string, { kind, bytes }: Call): Response {
    const token = new Headers(init.headers).get('authorization')?.replace(/^Bearer /, '') ?? '';
    if ((this.#tokens.get(token) ?? 0) <= this.#now()) {
      return googleError(401, 'Request had invalid authentication credentials.', 'ACCESS_TOKEN_EXPIRED');
    }
    const recent = this.calls.filter((call) => call.kind === kind && call.at > this.#now() - MINUTE_MS);
    if (recent.length > MAX_CALLS) {
      return googleError(429, `Quota exceeded for quota metric '${kind} requests'`, 'RATE_LIMIT_EXCEEDED');
    }
    const [, id = '', method = ''] = /^\/v4\/spreadsheets\/([\w-]+)(.*)$/.exec(url.pathname) ?? [];
    const book = this.spreadsheets.find((each) => each.id === id);
    if (book === undefined) return googleError(404, 'Requested entity was not found.');
    if (!book.editors.has(EMAIL)) return googleError(403, 'The caller does not have permission');
    if (bytes > MAX_BYTES) return googleError(400, 'Request payload size exceeds the limit.');
    try {
      if (method === SEARCH) {
        return Response.json(searchMetadata(book.metadata, JSON.parse(body)));
      }
      if (kind === 'read') return this.#read(book, method, url.searchParams);
      return this.#write(this.#prepareWrite(book, method, JSON.parse(body)));
    } catch (error) {
      if (error instanceof RefusedError) return googleError(400, error.message);
      throw error;
    }
  }

  #read(book: FakeSpreadsheet, method: string, query: URLSearchParams): Response {
    const { sheets: grids, timeZone } = book;
    if (method === '') {
      if (query.get('fields') === FORMAT_FIELDS) return readFormats(grids, query.getAll('ranges'));
      const wanted =
        'properties.timeZone,sheets.properties(sheetId,title,gridProperties(rowCount,columnCount))';
      if (query.get('fields') !== wanted) throw new Error('unexpected fields');
      const sheets = grids.map(({ sheetId, title, rows, columns }) => ({
        properties: { sheetId, title, gridProperties: { rowCount: rows, columnCount: columns } },
      }));
      return Response.json({ properties: { timeZone }, sheets });
    }
    const render = query.get('valueRenderOption');
    if (method !== '/values:batchGet' || (render !== 'UNFORMATTED_VALUE' && render !== 'FORMULA')) {
      throw new Error(`unknown read: ${method}`);
    }
    const valueRanges = query.getAll('ranges').map((name) => {
      const { sheet, row, lastRow, column, lastColumn } = parseRange(grids, name);
      const values = sheet.values(row, lastRow, column, lastColumn, render === 'FORMULA');
      return { range: name, majorDimension: 'ROWS', ...(values.length === 0 ? {} : { values }) };
    });
    return Response.json({ valueRanges });
  }

  /** Validates a whole write. @returns a function that applies it and returns the response */
  #prepareWrite(book: FakeSpreadsheet, method: string, body: unknown): () => object {
    const { sheets } = book;
    if (method === '/values:batchUpdate') {
      const { valueInputOption, data } = writeValuesSchema.parse(body);
      const inputs = data.map(({ range: name, values }) => {
        const block = parseRange(sheets, name);
        return { grid: block.sheet, cells: toCellInputs(block, values, valueInputOption) };
      });
      return () => {
        for (const { grid, cells } of inputs) {
          for (const { row, column, cell } of cells) {
            // A new value may remove a link: no source says that it stays.
            const { value: _, formula: __, link: ___, ...kept } = grid.cell(row, column) ?? { value: '' };
            grid.set(row, column, { value: '', ...kept, ...cell });
          }
        }
        return {};
      };
    }
    if (method !== ':batchUpdate') throw new Error(`unknown write: ${method}`);
    const { requests } = batchUpdateSchema.parse(body);
    // Requests apply one after the other, so a later one may name a sheet that an earlier one adds.
    const draft = sheets.map((sheet) => sheet);
    const findSheet = (sheetId: number): FakeSheet => {
      const sheet = draft.find((each) => each.sheetId === sheetId);
      if (sheet === undefined) throw new RefusedError(`Invalid requests[0]: No grid with id: ${sheetId}`);
      return sheet;
    };
    const metadata = [...book.metadata];
    const replies: object[] = [];
    const steps = requests.map((request) => {
      const reply = applyMetadataStep(metadata, draft, request);
      replies.push(reply ?? {});
      if (reply !== undefined) return () => undefined;
      const step = prepareSheetStep(sheets, draft, request);
      if (step !== undefined) return step;
      if ('appendDimension' in request) {
        const { sheetId, dimension, length } = request.appendDimension;
        const grid = findSheet(sheetId);
        return () => {
          grid[dimension === 'ROWS' ? 'rows' : 'columns'] += length;
        };
      }
      if ('updateCells' in request) {
        const { sheetId } = request.updateCells.start;
        return prepareFormatUpdate(findSheet(sheetId), request.updateCells);
      }
      if (!('repeatCell' in request)) throw new Error('unknown request');
      const { range: area, cell } = request.repeatCell;
      const grid = findSheet(area.sheetId);
      const { pattern } = cell.userEnteredFormat.numberFormat;
      return () => {
        for (let row = area.startRowIndex + 1; row <= area.endRowIndex; row += 1) {
          for (let column = area.startColumnIndex + 1; column <= area.endColumnIndex; column += 1) {
            grid.set(row, column, { value: '', ...grid.cell(row, column), format: pattern });
          }
        }
      };
    });
    return () => {
      for (const step of steps) step();
      book.metadata = metadata;
      return { spreadsheetId: book.id, replies };
    };
  }

  #write(apply: () => object): Response {
    const fault = this.faults.get(this.count('write'));
    const response = fault?.applied === false ? {} : apply();
    if (fault === undefined) return Response.json(response);
    if (fault.outcome === 'lost') throw new DOMException('The operation was aborted', 'TimeoutError');
    return fault.outcome;
  }
}
