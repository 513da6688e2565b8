// Client of the Google Sheets API v4: reads cells, writes raw values, changes rows and formats.
import * as z from 'zod';
import type { CellValue } from '../../../shared/table/cells.ts';
import { type Mark, markKey } from '../../../shared/table/locate.ts';
import { ProblemError } from '../../http/problem-error.ts';
import type { AccessTokens } from './access-tokens.ts';
import { toGoogleProblem } from './google-errors.ts';
import {
  type GooglePlatform,
  type GoogleResponse,
  type RateLimiter,
  sendOnce,
  sendWithRetry,
} from './google-http.ts';

/** Google recommends bodies of at most 2 MB and may reject longer ones. */
export const MAX_BODY_BYTES = 2_000_000;

/** Values of a block; null keeps a cell. */
export interface ValueRange {
  /** A1 notation with the sheet's title. */
  range: string;
  values: (CellValue | null)[][];
}

/** One request of `spreadsheets.batchUpdate`. */
export type SheetRequest = Readonly<Record<string, unknown>>;

const sheetProperties = z.object({
  sheetId: z.number().int().default(0),
  title: z.string(),
  gridProperties: z
    .object({ rowCount: z.number().int(), columnCount: z.number().int() })
    // Chart sheets have no grid.
    .optional(),
});
const spreadsheet = z.object({
  properties: z.object({ timeZone: z.string().default('Etc/UTC') }),
  sheets: z.array(z.object({ properties: sheetProperties })),
});
export type Spreadsheet = z.infer<typeof spreadsheet>;

const cell = z.union([z.string(), z.number(), z.boolean()]);
const valuesResponse = z.object({
  valueRanges: z.array(z.object({ values: z.array(z.array(cell)).default([]) })),
});

/** Google leaves numbers out that are 0. */
const metadataResponse = z.object({
  matchedDeveloperMetadata: z
    .array(
      z.object({
        developerMetadata: z.object({
          metadataValue: z.string().default(''),
          location: z.object({
            dimensionRange: z
              .object({ sheetId: z.number().int().default(0), startIndex: z.number().int().default(0) })
              .optional(),
          }),
        }),
      }),
    )
    .default([]),
});

/** Note, background and kind of number format of a cell. */
export interface CellFormat {
  /** '' when it has none. */
  note: string;
  /** `#rrggbb`, the name of a theme colour, or '' for the default. */
  background: string;
  /** It shows numbers as dates. */
  isDate: boolean;
}

/** Formats of a block; row and column from 1. */
export interface FormatBlock {
  row: number;
  column: number;
  formats: CellFormat[][];
}

const channel = z.number().default(0);
const cellFormat = z
  .object({
    note: z.string().default(''),
    userEnteredFormat: z
      .object({
        backgroundColorStyle: z
          .object({
            rgbColor: z.object({ red: channel, green: channel, blue: channel }).optional(),
            themeColor: z.string().optional(),
          })
          .optional(),
        numberFormat: z.object({ type: z.string().default('') }).optional(),
      })
      .optional(),
  })
  .transform(({ note, userEnteredFormat }): CellFormat => {
    const { rgbColor, themeColor = '' } = userEnteredFormat?.backgroundColorStyle ?? {};
    const isDate = /^DATE/.test(userEnteredFormat?.numberFormat?.type ?? '');
    return { note, background: rgbColor === undefined ? themeColor : toHexColour(rgbColor), isDate };
  });
const formatResponse = z.object({
  sheets: z.array(
    z.object({
      data: z.array(
        z.object({
          startRow: z.number().int().default(0),
          startColumn: z.number().int().default(0),
          rowData: z.array(z.object({ values: z.array(cellFormat).default([]) })).default([]),
        }),
      ),
    }),
  ),
});

/** Colour channels from 0 to 1. */
type Colour = Record<'red' | 'green' | 'blue', number>;

function toHexColour({ red, green, blue }: Colour): string {
  const toHex = (value: number): string =>
    Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${toHex(red)}${toHex(green)}${toHex(blue)}`;
}

/** @param hex - `#rrggbb` */
export function parseHexColour(hex: string): Colour {
  const parseChannel = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return { red: parseChannel(1), green: parseChannel(3), blue: parseChannel(5) };
}

export interface SheetsClientOptions {
  tokens: AccessTokens;
  platform: GooglePlatform;
  /** Shared by all clients of the account. */
  limiters: { read: RateLimiter; write: RateLimiter };
  /** Base URL of the API, without a trailing slash. */
  url: string;
}

/** Reads and writes spreadsheets as one service account. */
export class SheetsClient {
  readonly #options: SheetsClientOptions;

  constructor(options: SheetsClientOptions) {
    this.#options = options;
  }

  /**
   * Returns the time zone of a spreadsheet, and its sheets with titles and sizes.
   * @throws ProblemError as {@link toGoogleProblem}
   */
  async getSpreadsheet(id: string): Promise<Spreadsheet> {
    const fields =
      'properties.timeZone,sheets.properties(sheetId,title,gridProperties(rowCount,columnCount))';
    const response = await this.#read(`/${encodeURIComponent(id)}?${new URLSearchParams({ fields })}`);
    return this.#parse(spreadsheet, response);
  }

  /**
   * Returns cell values: dates as serial numbers, formulas as their results.
   * @param ranges - A1 notation, within the grid
   * @returns the rows of each range; trailing blank cells and rows are omitted, others are ''
   * @throws ProblemError as {@link toGoogleProblem}
   */
  async getValues(
    id: string,
    ranges: readonly string[],
    render: 'UNFORMATTED_VALUE' | 'FORMULA' = 'UNFORMATTED_VALUE',
  ): Promise<CellValue[][][]> {
    const query = new URLSearchParams([
      ...ranges.map((range) => ['ranges', range]),
      ['majorDimension', 'ROWS'],
      ['valueRenderOption', render],
      ['dateTimeRenderOption', 'SERIAL_NUMBER'],
    ]);
    const response = await this.#read(`/${encodeURIComponent(id)}/values:batchGet?${query}`);
    return this.#parse(valuesResponse, response).valueRanges.map(({ values }) => values);
  }

  /**
   * Returns the marks of tables: developer metadata of whole rows and columns, in all sheets.
   * @throws ProblemError as {@link toGoogleProblem}
   */
  async findMarks(id: string): Promise<Mark[]> {
    const dataFilters = [{ developerMetadataLookup: { metadataKey: markKey } }];
    const path = `/${encodeURIComponent(id)}/developerMetadata:search`;
    const response = await this.#read(path, { dataFilters });
    return this.#parse(metadataResponse, response).matchedDeveloperMetadata.flatMap(
      ({ developerMetadata: { metadataValue: value, location } }) =>
        location.dimensionRange === undefined
          ? []
          : { value, sheetId: location.dimensionRange.sheetId, at: location.dimensionRange.startIndex + 1 },
    );
  }

  /**
   * Returns notes and backgrounds of cells; trailing cells and rows without either are omitted.
   * @param ranges - A1 notation, within the grid of one sheet
   * @throws ProblemError as {@link toGoogleProblem}
   */
  async getFormats(id: string, ranges: readonly string[]): Promise<FormatBlock[]> {
    const cells = 'note,userEnteredFormat.backgroundColorStyle,userEnteredFormat.numberFormat.type';
    const query = new URLSearchParams([
      ...ranges.map((range) => ['ranges', range]),
      ['fields', `sheets.data(startRow,startColumn,rowData.values(${cells}))`],
    ]);
    const response = await this.#read(`/${encodeURIComponent(id)}?${query}`);
    return this.#parse(formatResponse, response).sheets.flatMap(({ data }) =>
      data.map(({ startRow, startColumn, rowData }) => ({
        row: startRow + 1,
        column: startColumn + 1,
        formats: rowData.map(({ values }) => values),
      })),
    );
  }

  /**
   * Writes raw values: Sheets does not parse numbers, dates or formulas. Atomic.
   * @param data - at most {@link MAX_BODY_BYTES} as JSON
   * @throws ProblemError as {@link toGoogleProblem}
   */
  async writeValues(id: string, data: readonly ValueRange[]): Promise<void> {
    await this.#write(`/${encodeURIComponent(id)}/values:batchUpdate`, { valueInputOption: 'RAW', data });
  }

  /**
   * Changes rows, columns and formats. Atomic.
   * @param requests - at most {@link MAX_BODY_BYTES} as JSON
   * @throws ProblemError as {@link toGoogleProblem}
   */
  async batchUpdate(id: string, requests: readonly SheetRequest[]): Promise<void> {
    await this.#write(`/${encodeURIComponent(id)}:batchUpdate`, { requests });
  }

  #parse<T>(schema: z.ZodType<T>, { body }: GoogleResponse): T {
    const result = schema.safeParse(body);
    if (result.success) return result.data;
    throw new ProblemError('google_unavailable', 'Google answered something that could not be read.');
  }

  /** @param body - of a search; absent for other reads */
  #read(path: string, body?: unknown): Promise<GoogleResponse> {
    const init = body === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body) };
    return this.#send(path, this.#options.limiters.read, init);
  }

  async #write(path: string, body: unknown): Promise<void> {
    await this.#send(path, this.#options.limiters.write, { method: 'POST', body: JSON.stringify(body) });
  }

  async #send(path: string, limiter: RateLimiter, init: RequestInit): Promise<GoogleResponse> {
    const { tokens, platform, url } = this.#options;
    const send = async (): Promise<{ response: GoogleResponse; token: string }> => {
      const token = await tokens.get();
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await sendWithRetry(platform, async () => {
        const waitMs = limiter.reserve(platform.now());
        if (waitMs > 0) await platform.sleep(waitMs);
        return sendOnce(platform, url + path, { ...init, headers });
      });
      return { response, token };
    };
    try {
      let { response, token } = await send();
      if (response.status === 401) {
        tokens.invalidate(token);
        ({ response } = await send());
      }
      if (response.status === 200) return response;
      throw toGoogleProblem(response, tokens.account.email);
    } catch (error) {
      throw error instanceof ProblemError ? error : new ProblemError('google_unavailable');
    }
  }
}
