// Sample rows of a search, from records that the team already bought. Buys nothing.
import type { Connection } from '../../../shared/connection.ts';
import { recordNames } from '../../../shared/families/previews.ts';
import { getValueAt, parseFieldPath } from '../../../shared/query/field-paths.ts';
import { call, callAll, setSource } from '../../client/gateway.ts';
import { unwrap } from '../../client/http.ts';
import type { Payload } from '../../server/api/index.ts';

/** Matches among which bought records are looked for, and the number of rows. */
const SEARCHED = 100;
const ROWS = 3;

/**
 * Lists the values of up to three of the first matches.
 * @throws AddonError if the gateway refuses
 */
export function listSampleRows(
  { family, query, columns }: Payload<'sampleRows'>,
  connection: Connection,
): string[][] {
  setSource('sample');
  const { ids } = unwrap(
    call(connection, 'search', { body: { ...query, family, items_per_page: SEARCHED } }),
  );
  if (ids.length === 0) return [];
  const fields = columns.map((path) => recordNames[path] ?? path);
  // Previews have fields that records lack.
  const request = { family, by: 'id', keys: ids, fields, any_fields: true, max_credits: 0 } as const;
  const paths = fields.map((path) => parseFieldPath(path) ?? []);
  return callAll(connection, 'lookup', [{ body: request }])
    .flatMap((answer) => unwrap(answer).rows)
    .flatMap(({ record }) => (record === undefined ? [] : [record]))
    .slice(0, ROWS)
    .map((record) => paths.map((path) => [getValueAt(record, path) ?? ''].flat().join('; ')));
}
