// Responses with a CSV file.
import { type Cell, csvStart, formatCsvRow } from '../../shared/lib/csv.ts';

/** Returns the headers of a CSV file with a heading (RFC 4180), for download. @param name - of the file, without `.csv` */
export const csvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8; header=present',
  'content-disposition': `attachment; filename="${name}.csv"`,
  'cache-control': 'no-store',
});

export function respondCsv(
  name: string,
  heading: readonly string[],
  rows: readonly (readonly Cell[])[],
): Response {
  return new Response(csvStart + [heading, ...rows].map(formatCsvRow).join(''), {
    headers: csvHeaders(name),
  });
}
