// The table of inputs with their right record that may lie beside the project. vitest.config.ts reads it.
import { inject } from 'vitest';
import * as z from 'zod';

declare module 'vitest' {
  interface ProvidedContext {
    /** JSON; '' if the table does not exist. */
    rightRecord: string;
  }
}

const texts = z.array(z.string());

const tableSchema = z.object({
  /** Each text is the record, in each of the typed countries. */
  match: z.array(
    z.object({
      record: z.string(),
      country: z.string(),
      typed: texts,
      typed_country: texts.exactOptional(),
    }),
  ),
  /** No text is the record. */
  never: z.array(z.object({ record: z.string(), typed: texts })),
  websites: z.object({
    /** Cells by their host. */
    same_host: z.record(z.string(), texts),
    no_company: texts,
    /** Hosts by a page that looks like a profile. */
    own_page_of_a_website: z.record(z.string(), z.string()),
    names_not_hosts: texts,
  }),
});

/** Tells whether the table exists. Its tests are skipped without it. */
export const hasRightRecord = inject('rightRecord') !== '';

const empty = {
  match: [],
  never: [],
  websites: { same_host: {}, no_company: [], own_page_of_a_website: {}, names_not_hosts: [] },
};

const table = hasRightRecord ? tableSchema.parse(JSON.parse(inject('rightRecord'))) : empty;

/** Cells and what they are. */
export const { websites } = table;

/** Typed names by the only record that exists. */
export const rightNames = table.match.map(({ record, country, typed, typed_country: countries = [] }) => ({
  record,
  country,
  companies: typed.flatMap((name) => [{ name }, ...countries.map((each) => ({ name, country: each }))]),
}));

/** Typed names by the record of another company. */
export const wrongNames = table.never;
