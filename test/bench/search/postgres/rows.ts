// Companies as rows of postgres/schema.sql, in the text form that COPY reads.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CompanyClean } from '../../../../worker/commands/sample/company-clean.ts';
import { readCompanies } from '../companies.ts';

type Cell = string | number | boolean | null | undefined;

/** By table: its columns, and the rows that a company has in it. */
const tables: Readonly<Record<string, { columns: string; rows: (company: CompanyClean) => Cell[][] }>> = {
  companies: {
    columns:
      'id, name, type, industry, country, website, ticker, employees, followers, updated, description, summary, specialities',
    rows: (company) => [
      [
        ...[company.id, company.name, company.type, company.industry, company.location_hq_country],
        ...[company.websites_main, company.ticker, company.size_employees_count, company.followers],
        ...[company.last_updated, company.description, company.enriched_summary],
        company.specialities?.join('\n'),
      ],
    ],
  },
  technologies: {
    columns: 'company, technology',
    rows: ({ id, technologies }) => (technologies ?? []).map(({ technology }) => [id, technology]),
  },
  locations: {
    columns: 'company, country, is_primary',
    rows: ({ id, locations_full }) =>
      (locations_full ?? []).map(({ country, is_primary }) => [id, country, is_primary]),
  },
  funding_rounds: {
    columns: 'company, type, money',
    rows: ({ id, funding_rounds }) =>
      (funding_rounds ?? []).map((round) => [id, round.last_round_type, round.last_round_money_raised]),
  },
};

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '\\N';
  return String(cell).replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}

async function* rowLines(shared: string, rows: (company: CompanyClean) => Cell[][]): AsyncGenerator<string> {
  for await (const company of readCompanies(shared)) {
    for (const row of rows(company)) yield `${row.map(cellText).join('\t')}\n`;
  }
}

/**
 * Writes a file a table.
 * @returns the psql commands that read them
 */
export async function writeRows(shared: string, dir: string): Promise<string[]> {
  const commands = [];
  for (const [table, { columns, rows }] of Object.entries(tables)) {
    const file = join(dir, `${table}.txt`);
    await pipeline(Readable.from(rowLines(shared, rows)), createWriteStream(file));
    commands.push(`\\copy ${table} (${columns}) FROM '${file}'`);
  }
  return commands;
}
