// A small client of the Google Sheets API v4: reads a grid, writes values that nobody parses, changes rows and formats.
import * as z from 'zod';
import { ProblemError } from '../../http/problem-error.ts';
import type { AccessTokens } from './access-tokens.ts';
import { toGoogleProblem } from './google-errors.ts';
import { type GooglePlatform, type GoogleResponse, sendOnce, sendWithRetry } from './google-http.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Google recommends no more a body; what is longer may be refused. */
export const MAX_BODY_BYTES = 2_000_000;

/** What a cell can hold. */
export type CellValue = string | number | boolean;

/** Values for a block; null leaves a cell as it is. */
export interface ValueRange {
  /** In A1 notation, with the sheet's name. */
  range: string;
  values: (CellValue | null)[][];
}

/** A change of a sheet itself: one of the requests that `spreadsheets.batchUpdate` takes. */
export type SheetRequest = Readonly<Record<string, unknown>>;

const sheetProperties = z.object({
  sheetId: z.number().int().default(0),
  title: z.string(),
  gridProperties: z
    .object({ rowCount: z.number().int(), columnCount: z.number().int() })
    // A sheet that is a chart has no grid.
    .optional(),
});
const spreadsheet = z.object({
  properties: z.object({ timeZone: z.string().default('Etc/UTC') }),
  sheets: z.array(z.object({ properties: sheetProperties })),
});
export type Spreadsheet = z.infer<typeof spreadsheet>;

const cell = z.union([z.string(), z.number(), z.boolean()]);
const read = z.object({
  valueRanges: z.array(z.object({ values: z.array(z.array(cell)).default([]) })),
});

/** What a cell has beside its value. */
export interface CellFormat {
  /** '' where it has none. */
  note: string;
  /** `#rrggbb`, or the name of a theme's colour; '' where it has none of its own. */
  background: string;
}

/** Cells and their looks; row and column from 1. */
export interface FormatBlock {
  row: number;
  column: number;
  formats: CellFormat[][];
}

const part = z.number().default(0);
const look = z
  .object({
    note: z.string().default(''),
    userEnteredFormat: z
      .object({
        backgroundColorStyle: z
          .object({
            rgbColor: z.object({ red: part, green: part, blue: part }).optional(),
            themeColor: z.string().optional(),
          })
          .optional(),
      })
      .optional(),
  })
  .transform(({ note, userEnteredFormat }): CellFormat => {
    const { rgbColor, themeColor = '' } = userEnteredFormat?.backgroundColorStyle ?? {};
    return { note, background: rgbColor === undefined ? themeColor : toHexColour(rgbColor) };
  });
const looked = z.object({
  sheets: z.array(
    z.object({
      data: z.array(
        z.object({
          startRow: z.number().int().default(0),
          startColumn: z.number().int().default(0),
          rowData: z.array(z.object({ values: z.array(look).default([]) })).default([]),
        }),
      ),
    }),
  ),
});

/** As the API has it: each part from 0 to 1. */
type Colour = Record<'red' | 'green' | 'blue', number>;

function toHexColour({ red, green, blue }: Colour): string {
  const digits = (own: number): string =>
    Math.round(own * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${digits(red)}${digits(green)}${digits(blue)}`;
}

/** @param hex - `#rrggbb` */
export function parseHexColour(hex: string): Colour {
  const of = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return { red: of(1), green: of(3), blue: of(5) };
}

/** A write of which nobody knows whether it has landed. */
export class UnclearWriteError extends ProblemError {
  constructor() {
    super('google_unavailable');
  }
}

/** What a client is made of. */
export interface SheetsClientOptions {
  tokens: AccessTokens;
  platform: GooglePlatform;
  /** The paces of the account, which every client of it shares. */
  limiters: { read: RateLimiter; write: RateLimiter };
  /** Where the API is, without a slash at its end. */
  url: string;
}

/** Spreadsheets, as one service account reaches them. */
export class SheetsClient {
  readonly #parts: SheetsClientOptions;

  constructor(parts: SheetsClientOptions) {
    this.#parts = parts;
  }

  /**
   * The time zone of a spreadsheet, and its sheets with their names and sizes.
   * @throws ProblemError as {@link toGoogleProblem}
   */
  async getSpreadsheet(id: string): Promise<Spreadsheet> {
    const fields =
      'properties.timeZone,sheets.properties(sheetId,title,gridProperties(rowCount,columnCount))';
    const answer = await this.#read(`/${encodeURIComponent(id)}?${new URLSearchParams({ fields })}`);
    return this.#parsed(spreadsheet, answer);
  }

  /**
   * What cells hold: dates as serial numbers, the results of formulas.
   * @param ranges - in A1 notation, within the grid
   * @returns rows for each range, in their order; blank cells and rows at the end are left out, others are ''
   * @throws ProblemError as {@link toGoogleProblem}
   */
  async getValues(id: string, ranges: readonly string[]): Promise<CellValue[][][]> {
    const query = new URLSearchParams([
      ...ranges.map((range) => ['ranges', range]),
      ['majorDimension', 'ROWS'],
      ['valueRenderOption', 'UNFORMATTED_VALUE'],
      ['dateTimeRenderOption', 'SERIAL_NUMBER'],
    ]);
    const answer = await this.#read(`/${encodeURIComponent(id)}/values:batchGet?${query}`);
    return this.#parsed(read, answer).valueRanges.map(({ values }) => values);
  }

  /**
   * Notes and backgrounds of cells. What has neither at the end of a row or of a block is left out.
   * @param ranges - in A1 notation, within the grid of one sheet
   * @throws ProblemError as {@link toGoogleProblem}
   */
  async getFormats(id: string, ranges: readonly string[]): Promise<FormatBlock[]> {
    const cells = 'note,userEnteredFormat.backgroundColorStyle';
    const query = new URLSearchParams([
      ...ranges.map((range) => ['ranges', range]),
      ['fields', `sheets.data(startRow,startColumn,rowData.values(${cells}))`],
    ]);
    const answer = await this.#read(`/${encodeURIComponent(id)}?${query}`);
    return this.#parsed(looked, answer).sheets.flatMap(({ data }) =>
      data.map(({ startRow, startColumn, rowData }) => ({
        row: startRow + 1,
        column: startColumn + 1,
        formats: rowData.map(({ values }) => values),
      })),
    );
  }

  /**
   * Writes values as they are: no text is read as a number, a date or a formula.
   * @param data - at most {@link MAX_BODY_BYTES} as JSON; all of it lands or nothing
   * @throws UnclearWrite where nobody knows which; ProblemError as {@link toGoogleProblem}
   */
  async writeValues(id: string, data: readonly ValueRange[]): Promise<void> {
    await this.#write(`/${encodeURIComponent(id)}/values:batchUpdate`, { valueInputOption: 'RAW', data });
  }

  /**
   * Changes sheets themselves.
   * @param requests - at most {@link MAX_BODY_BYTES} as JSON; all of them are done or none
   * @throws UnclearWrite, ProblemError as {@link toGoogleProblem}
   */
  async batchUpdate(id: string, requests: readonly SheetRequest[]): Promise<void> {
    await this.#write(`/${encodeURIComponent(id)}:batchUpdate`, { requests });
  }

  #parsed<T>(schema: z.ZodType<T>, { body }: GoogleResponse): T {
    const result = schema.safeParse(body);
    if (result.success) return result.data;
    throw new ProblemError('google_unavailable', 'Google answered something that could not be read.');
  }

  async #read(path: string): Promise<GoogleResponse> {
    try {
      return await this.#call(path, this.#parts.limiters.read, { method: 'GET' });
    } catch (error) {
      throw error instanceof ProblemError ? error : new ProblemError('google_unavailable');
    }
  }

  async #write(path: string, body: unknown): Promise<void> {
    try {
      await this.#call(path, this.#parts.limiters.write, { method: 'POST', body: JSON.stringify(body) });
    } catch (error) {
      throw error instanceof ProblemError ? error : new UnclearWriteError();
    }
  }

  /** @throws what the connection throws; ProblemError as {@link toGoogleProblem} */
  async #call(path: string, pace: RateLimiter, init: RequestInit): Promise<GoogleResponse> {
    const { tokens, platform, url } = this.#parts;
    const send = async (): Promise<{ answer: GoogleResponse; token: string }> => {
      const token = await tokens.get();
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await sendWithRetry(platform, async () => {
        const waitMs = pace.reserve(platform.now());
        if (waitMs > 0) await platform.after(waitMs);
        return sendOnce(platform, url + path, { ...init, headers });
      });
      return { answer, token };
    };
    let { answer, token } = await send();
    if (answer.status === 401) {
      tokens.invalidate(token);
      ({ answer } = await send());
    }
    if (answer.status === 200) return answer;
    // It may have been worked on before it failed.
    if (init.method === 'POST' && answer.status >= 500) throw new UnclearWriteError();
    throw toGoogleProblem(answer, tokens.account.email);
  }
}
