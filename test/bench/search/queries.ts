// The thirty queries of the search bench: broad and narrow ones of each kind, over sample companies.
import type { BenchQuery, Kept, MiniSearchCall, PostgresQuery } from './query.ts';

/** Words in one column, by PostgreSQL's own query language. */
function words(column: string, query: string, where = ''): PostgresQuery {
  const tsquery = `to_tsquery('simple', '${query}')`;
  return { where: `${column} @@ ${tsquery}${where}`, rank: `ts_rank(${column}, ${tsquery})`, same: true };
}

function phrase(column: string, text: string): PostgresQuery {
  const tsquery = `phraseto_tsquery('simple', '${text}')`;
  return { where: `${column} @@ ${tsquery}`, rank: `ts_rank(${column}, ${tsquery})`, same: true };
}

function search(field: string, text: string, combineWith: 'AND' | 'OR' = 'OR'): MiniSearchCall {
  return { query: text, options: { fields: [field], combineWith }, same: true };
}

function only(filter: (kept: Kept) => boolean): MiniSearchCall {
  return { filter, same: true };
}

/** What `now` means in a query, in milliseconds since 1970; none of these asks. */
export const NOW = Date.UTC(2026, 9, 30);

const COUNTRIES = ['Germany', 'France', 'Spain', 'Italy', 'Poland', 'Netherlands', 'Belgium', 'Switzerland'];
const TEN = [
  'water',
  'energy',
  'software',
  'food',
  'design',
  'music',
  'paper',
  'timber',
  'cloud',
  'medicine',
];

export const queries: readonly BenchQuery[] = [
  {
    name: 'word, rare',
    query: { match: { description: 'hydrogen' } },
    postgres: words('description_words', 'hydrogen'),
    minisearch: search('description', 'hydrogen'),
  },
  {
    name: 'word, in half of all records',
    query: { match: { description: 'and' } },
    postgres: words('description_words', 'and'),
    minisearch: search('description', 'and'),
  },
  {
    name: 'word of a name',
    query: { match: { name: 'studio' } },
    postgres: words('name_words', 'studio'),
    minisearch: search('name', 'studio'),
  },
  {
    name: 'word of a name, misspelt',
    query: { match: { name: { query: 'cairnshroe', fuzziness: 'AUTO' } } },
    minisearch: { query: 'cairnshroe', options: { fields: ['name'], fuzzy: 2 }, same: false },
  },
  {
    name: 'keyword, three quarters of all records',
    query: { term: { type: 'Privately Held' } },
    postgres: { where: "type = 'Privately Held'", same: true },
    minisearch: only(({ type }) => type === 'Privately Held'),
  },
  {
    name: 'keyword, narrow',
    query: { term: { location_hq_country: 'Poland' } },
    postgres: { where: "country = 'Poland'", same: true },
    minisearch: only(({ country }) => country === 'Poland'),
  },
  {
    name: 'exact address',
    query: { term: { 'websites_main.exact': 'https://www.cairnshoreassurance.example' } },
    postgres: { where: "website = 'https://www.cairnshoreassurance.example'", same: true },
    minisearch: only(({ website }) => website === 'https://www.cairnshoreassurance.example'),
  },
  {
    name: 'any of six words, most of them frequent',
    query: { match: { description: 'the best software for small hospitals' } },
    postgres: words('description_words', 'the | best | software | for | small | hospitals'),
    minisearch: search('description', 'the best software for small hospitals'),
  },
  {
    name: 'all of three words',
    query: { match: { description: { query: 'for customers with', operator: 'and' } } },
    postgres: words('description_words', 'for & customers & with'),
    minisearch: search('description', 'for customers with', 'AND'),
  },
  {
    name: 'three of five words',
    query: {
      match: { description: { query: 'quality service for every customer', minimum_should_match: 3 } },
    },
  },
  {
    name: 'two words in four fields, the best counts',
    query: {
      multi_match: {
        query: 'renewable energy',
        fields: ['name', 'description', 'enriched_summary', 'specialities'],
      },
    },
    postgres: words('all_words', 'renewable | energy'),
    minisearch: {
      query: 'renewable energy',
      options: { fields: ['name', 'description', 'enriched_summary', 'specialities'] },
      same: true,
    },
  },
  {
    name: 'ten words in two fields',
    query: {
      bool: {
        should: TEN.flatMap((word) => [{ match: { description: word } }, { match: { specialities: word } }]),
      },
    },
    postgres: {
      where: ['description_words', 'specialities_words']
        .map((column) => `${column} @@ to_tsquery('simple', '${TEN.join(' | ')}')`)
        .join(' OR '),
      rank: ['description_words', 'specialities_words']
        .map((column) => `ts_rank(${column}, to_tsquery('simple', '${TEN.join(' | ')}'))`)
        .join(' + '),
      same: true,
    },
    minisearch: { query: TEN.join(' '), options: { fields: ['description', 'specialities'] }, same: true },
  },
  {
    name: 'phrase of frequent words',
    query: { match_phrase: { description: 'of the' } },
    postgres: phrase('description_words', 'of the'),
  },
  {
    name: 'phrase, narrow',
    query: { match_phrase: { description: 'takes care of the rest' } },
    postgres: phrase('description_words', 'takes care of the rest'),
  },
  {
    name: 'phrase with room between its words',
    query: { match_phrase: { description: { query: 'company founded', slop: 3 } } },
  },
  {
    name: 'phrase that ends in the start of a word',
    query: { match_phrase_prefix: { description: 'the compan' } },
    postgres: words('description_words', 'the <-> compan:*'),
  },
  {
    name: 'word, filtered by country and size',
    query: {
      bool: {
        must: { match: { description: 'software' } },
        filter: [
          { term: { location_hq_country: 'United States' } },
          { range: { size_employees_count: { gte: 50, lte: 1000 } } },
        ],
      },
    },
    postgres: words(
      'description_words',
      'software',
      " AND country = 'United States' AND employees BETWEEN 50 AND 1000",
    ),
    minisearch: {
      ...search('description', 'software'),
      filter: ({ country, employees }) =>
        country === 'United States' && employees !== null && employees >= 50 && employees <= 1000,
    },
  },
  {
    name: 'either word, without one kind of company',
    query: {
      bool: {
        must: { match: { enriched_summary: 'energy solar' } },
        must_not: { term: { type: 'Privately Held' } },
      },
    },
    postgres: words('summary_words', 'energy | solar', " AND type IS DISTINCT FROM 'Privately Held'"),
    minisearch: {
      ...search('enriched_summary', 'energy solar'),
      filter: ({ type }) => type !== 'Privately Held',
    },
  },
  {
    name: 'word, others preferred, one of two bounds',
    query: {
      bool: {
        must: { match: { description: 'design' } },
        should: [{ match: { specialities: 'management' } }, { term: { location_hq_country: 'Germany' } }],
        filter: {
          bool: {
            should: [
              { range: { followers: { gte: 5000 } } },
              { range: { size_employees_count: { gte: 200 } } },
            ],
          },
        },
      },
    },
    postgres: {
      where:
        "description_words @@ to_tsquery('simple', 'design') AND (followers >= 5000 OR employees >= 200)",
      rank:
        "ts_rank(description_words, to_tsquery('simple', 'design'))" +
        " + ts_rank(specialities_words, to_tsquery('simple', 'management'))" +
        " + CASE WHEN country = 'Germany' THEN 1 ELSE 0 END",
      same: true,
    },
    minisearch: {
      ...search('description', 'design'),
      filter: ({ followers, employees }) => (followers ?? -1) >= 5000 || (employees ?? -1) >= 200,
    },
  },
  {
    name: 'one of eight countries',
    query: { terms: { location_hq_country: COUNTRIES } },
    postgres: { where: `country IN (${COUNTRIES.map((country) => `'${country}'`).join(', ')})`, same: true },
    minisearch: only(({ country }) => country !== null && COUNTRIES.includes(country)),
  },
  {
    name: 'number above a bound, broad',
    query: { range: { followers: { gte: 500 } } },
    postgres: { where: 'followers >= 500', same: true },
    minisearch: only(({ followers }) => followers !== null && followers >= 500),
  },
  {
    name: 'one week of dates',
    query: { range: { last_updated: { gte: '2026-09-01', lt: '2026-09-08' } } },
    postgres: { where: "updated >= '2026-09-01' AND updated < '2026-09-08'", same: true },
    minisearch: only(({ updated }) => updated >= '2026-09-01' && updated < '2026-09-08'),
  },
  {
    name: 'field present',
    query: { exists: { field: 'ticker' } },
    postgres: { where: 'ticker IS NOT NULL', same: true },
    minisearch: only(({ ticker }) => ticker !== null),
  },
  {
    name: 'nested: one word',
    query: { nested: { path: 'technologies', query: { match: { 'technologies.technology': 'react' } } } },
    postgres: {
      where: "id IN (SELECT company FROM technologies WHERE words @@ to_tsquery('simple', 'react'))",
      same: true,
    },
    minisearch: search('technologies', 'react'),
  },
  {
    name: 'nested: two conditions on one place',
    query: {
      nested: {
        path: 'locations_full',
        query: {
          bool: {
            must: [
              { term: { 'locations_full.country': 'Germany' } },
              { term: { 'locations_full.is_primary': false } },
            ],
          },
        },
      },
    },
    postgres: {
      where: "id IN (SELECT company FROM locations WHERE country = 'Germany' AND NOT is_primary)",
      same: true,
    },
  },
  {
    name: 'nested: kind and amount, with a word',
    query: {
      bool: {
        must: [
          { match: { description: 'software' } },
          {
            nested: {
              path: 'funding_rounds',
              query: {
                bool: {
                  filter: [
                    { term: { 'funding_rounds.last_round_type': 'Seed' } },
                    { range: { 'funding_rounds.last_round_money_raised': { gte: 1_000_000 } } },
                  ],
                },
              },
            },
          },
        ],
      },
    },
    postgres: words(
      'description_words',
      'software',
      " AND id IN (SELECT company FROM funding_rounds WHERE type = 'Seed' AND money >= 1000000)",
    ),
  },
  {
    name: 'start of a word of a name',
    query: { prefix: { name: 'st' } },
    postgres: words('name_words', 'st:*'),
    minisearch: { query: 'st', options: { fields: ['name'], prefix: true }, same: true },
  },
  {
    name: 'pattern on a keyword',
    query: { wildcard: { 'industry.exact': '*Software*' } },
    postgres: { where: "industry LIKE '%Software%'", same: true },
    minisearch: only(({ industry }) => industry?.includes('Software') === true),
  },
  {
    name: 'pattern on words',
    query: { wildcard: { description: '*ware' } },
  },
  {
    name: 'query string',
    query: {
      query_string: {
        query: 'description:(software AND (cloud OR data)) AND NOT location_hq_country:"United States"',
      },
    },
    postgres: words(
      'description_words',
      'software & (cloud | data)',
      " AND country IS DISTINCT FROM 'United States'",
    ),
    minisearch: {
      query: {
        combineWith: 'AND',
        queries: ['software', { combineWith: 'OR', queries: ['cloud', 'data'] }],
      },
      options: { fields: ['description'] },
      filter: ({ country }) => country !== 'United States',
      same: true,
    },
  },
];
