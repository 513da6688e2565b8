// The thirty queries of the search bench, broad and narrow ones of each kind.

/** A query in the service's search language. */
export interface BenchQuery {
  name: string;
  query: Readonly<Record<string, unknown>>;
}

const COUNTRIES = ['Germany', 'France', 'Spain', 'Italy', 'Poland', 'Netherlands', 'Belgium', 'Switzerland'];
const TEN = [
  'juice',
  'energy',
  'software',
  'bread',
  'design',
  'books',
  'linen',
  'timber',
  'data',
  'vaccines',
];

export const queries: readonly BenchQuery[] = [
  { name: 'word, rare', query: { match: { description: 'sailcloth' } } },
  { name: 'word, in half of all records', query: { match: { description: 'and' } } },
  { name: 'word of a name', query: { match: { name: 'studio' } } },
  { name: 'word of a name, misspelt', query: { match: { name: { query: 'uldotna', fuzziness: 'AUTO' } } } },
  { name: 'keyword, three quarters of all records', query: { term: { type: 'Privately Held' } } },
  { name: 'keyword, narrow', query: { term: { location_hq_country: 'Poland' } } },
  { name: 'exact address', query: { term: { 'websites_main.exact': 'uldotanpartners.example' } } },
  {
    name: 'any of six words, most of them frequent',
    query: { match: { description: 'the best software for small hospitals' } },
  },
  {
    name: 'all of three words',
    query: { match: { description: { query: 'for customers with', operator: 'and' } } },
  },
  {
    name: 'three of five words',
    query: { match: { description: { query: 'quality prices for every order', minimum_should_match: 3 } } },
  },
  {
    name: 'two words in four fields, the best counts',
    query: {
      multi_match: {
        query: 'renewable energy',
        fields: ['name', 'description', 'enriched_summary', 'specialities'],
      },
    },
  },
  {
    name: 'ten words in two fields',
    query: {
      bool: {
        should: TEN.flatMap((word) => [{ match: { description: word } }, { match: { specialities: word } }]),
      },
    },
  },
  { name: 'phrase of frequent words', query: { match_phrase: { description: 'with our' } } },
  { name: 'phrase, narrow', query: { match_phrase: { description: 'answers every call itself' } } },
  {
    name: 'phrase with room between its words',
    query: { match_phrase: { description: { query: 'founded still', slop: 4 } } },
  },
  {
    name: 'phrase that ends in the start of a word',
    query: { match_phrase_prefix: { description: 'our custom' } },
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
  },
  {
    name: 'either word, without one kind of company',
    query: {
      bool: {
        must: { match: { enriched_summary: 'solar wind' } },
        must_not: { term: { type: 'Privately Held' } },
      },
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
  },
  { name: 'one of eight countries', query: { terms: { location_hq_country: COUNTRIES } } },
  { name: 'number above a bound, broad', query: { range: { followers: { gte: 500 } } } },
  { name: 'one week of dates', query: { range: { last_updated: { gte: '2026-09-01', lt: '2026-09-08' } } } },
  { name: 'field present', query: { exists: { field: 'ticker' } } },
  {
    name: 'nested: one word',
    query: { nested: { path: 'technologies', query: { match: { 'technologies.technology': 'react' } } } },
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
                    { range: { 'funding_rounds.last_round_money_raised': { gte: 1000000 } } },
                  ],
                },
              },
            },
          },
        ],
      },
    },
  },
  { name: 'start of a word of a name', query: { prefix: { name: 'st' } } },
  { name: 'pattern on a keyword', query: { wildcard: { 'industry.exact': '*Software*' } } },
  { name: 'pattern on words', query: { wildcard: { description: '*ware' } } },
  {
    name: 'query string',
    query: {
      query_string: {
        query: 'description:(software AND (cloud OR data)) AND NOT location_hq_country:"United States"',
      },
    },
  },
];
