// Responses with a CSV file.
import { type Cell, csvStart, formatCsvRow } from '../../shared/lib/csv.ts';

/** Returns the headers of a CSV file with a heading (RFC 4180), for download. @param name - of the file, without `.csv` */
export const csvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8; header=present',
  'content-disposition': `attachment; filename="${name}.csv"`,
  'cache-control': 'no-store',
});

/** Returns rows as a CSV file. @param columns - members of the rows, which are its headings */
export function respondCsv<C extends string>(
  name: string,
  columns: readonly C[],
  rows: readonly { readonly [K in C]?: Cell | undefined }[],
): Response {
  const cells = rows.map((row) => columns.map((column) => row[column] ?? null));
  return new Response(csvStart + [columns, ...cells].map(formatCsvRow).join(''), {
    headers: csvHeaders(name),
  });
}
