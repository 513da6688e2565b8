// Each clause, from JSON to the tree.
import { describe, expect, it } from 'vitest';
import { read } from './harness.ts';

type Case = readonly [json: unknown, shown: string];

function cases(name: string, table: readonly Case[]): void {
  describe(name, () => {
    it.each(table.map(([json, shown]) => [JSON.stringify(json), shown, json] as const))(
      '%s is %s',
      (_, shown, json) => {
        expect(read({ [name]: json })).toBe(shown);
      },
    );
  });
}

cases('match_all', [
  [{}, '*:*'],
  [{ boost: 2.5, _name: 'x' }, '*:*^2.5'],
  [{ field: 'd' }, 'error: [match_all] unknown field [field]'],
]);

cases('match_none', [
  [{}, 'nothing'],
  [{ boost: 2 }, 'nothing'],
]);

cases('match', [
  [{ d: 'Quick' }, 'quick'],
  [{ d: 'Quick Brown' }, 'quick brown'],
  [{ d: 7 }, '7'],
  [{ d: { query: 'quick brown', operator: 'AND' } }, '+quick +brown'],
  [{ d: { query: 'quick brown', operator: 'or', boost: 2 } }, '(quick brown)^2'],
  [{ d: { query: 'a b c d', minimum_should_match: 3 } }, '(a b c d)~3'],
  [{ d: { query: 'a b c d', minimum_should_match: '75%' } }, '(a b c d)~3'],
  [{ d: { query: 'a', minimum_should_match: 2 } }, 'a'],
  [{ d: { query: 'a b', operator: 'and', minimum_should_match: 1 } }, '(+a +b)~1'],
  [{ d: { query: 'quikc ab', fuzziness: 'AUTO' } }, 'quikc~1 ab'],
  [
    {
      d: { query: 'quikc', fuzziness: 2, prefix_length: 1, max_expansions: 10, fuzzy_transpositions: false },
    },
    'quikc~2{prefix 1, 10 terms, no swaps}',
  ],
  [{ d: '...' }, 'nothing'],
  [{ d: { query: '...', zero_terms_query: 'all', boost: 3 } }, '*:*^3'],
  [{ d: { query: '', zero_terms_query: 'none' } }, 'nothing'],
  [{ 'title.exact': 'Quick Brown' }, 'title.exact:Quick Brown'],
  [{ tags: { query: 'Quick Brown', analyzer: 'standard' } }, 'tags:quick tags:brown'],
  [{ d: { query: 'Quick Brown', analyzer: 'keyword' } }, 'Quick Brown'],
  [{ d: { query: ' Quick  wi-fi\tB! ', analyzer: 'whitespace' } }, 'Quick wi-fi B!'],
  [{ tags: { query: 'Quick Brown', analyzer: 'whitespace' } }, 'tags:Quick tags:Brown'],
  [{ d: { query: 'a', analyzer: 'english' } }, 'error: [match] analyzer [english] not found'],
  [{ amount: '5' }, 'amount:5'],
  [{ amount: 'five' }, 'error: failed to create query: For input string: "five"'],
  [{ amount: { query: 'five', lenient: true } }, 'nothing'],
  [{ day: '2024-01-02' }, 'day:[1704153600000 TO 1704239999999]'],
  [{ nope: 'x' }, 'nothing'],
  [{ 'people.name': 'ann' }, 'nothing'],
  [{ 'people.name': 'ann lee' }, 'nothing'],
  [{ d: { query: null } }, 'error: No text specified for text query'],
  [{ d: null }, 'error: No text specified for text query'],
  [{}, 'error: [match] requires fieldName'],
  [{ d: ['a'] }, 'error: [match] unknown token [START_ARRAY] after [d]'],
  [{ d: { query: ['a'] } }, 'error: [match] unknown token [START_ARRAY] after [query]'],
  [{ d: { query: 'a', analyser: 'x' } }, 'error: [match] query does not support [analyser]'],
  [{ d: 'a', e: 'b' }, "error: [match] query doesn't support multiple fields, found [d] and [e]"],
  [{ d: { query: 'a', operator: 'xor' } }, 'error: [match] unknown operator [xor], expected [and] or [or]'],
  [{ d: { query: 'a', fuzziness: 'many' } }, 'error: [match] illegal fuzziness value [many]'],
  [{ d: { query: 'a', zero_terms_query: 'some' } }, 'error: Unsupported zero_terms_query value [some]'],
  [{ d: { query: 'a', max_expansions: 'x' } }, 'error: [match] failed to parse field [max_expansions]'],
  [{ d: { query: 'a', prefix_length: -1 } }, 'error: [match] [prefix_length] cannot be negative'],
  [
    { hidden: 'a' },
    'error: failed to create query: Cannot search on field [hidden] since it is not indexed.',
  ],
  [{ picture: 'a' }, 'error: Binary fields do not support searching'],
  [
    { amount: { query: 5, fuzziness: 1 } },
    'error: failed to create query: Can only use fuzzy queries on keyword and text fields - not on [amount] which is of type [integer]',
  ],
]);

cases('match_phrase', [
  [{ d: 'Quick Brown' }, '"quick brown"'],
  [{ d: { query: 'quick brown fox', slop: 2, boost: 2 } }, '"quick brown fox"~2^2'],
  [{ d: 'Quick' }, 'quick'],
  [{ d: '' }, 'nothing'],
  [{ d: { query: '', zero_terms_query: 'all' } }, '*:*'],
  [{ tags: 'Quick Brown' }, 'tags:Quick Brown'],
  [{ amount: 5 }, 'amount:5'],
  [{ nope: 'a b' }, 'nothing'],
  [{ d: {} }, 'error: [match_phrase] requires query value'],
  [{ d: { query: 'a', fuzziness: 1 } }, 'error: [match_phrase] query does not support [fuzziness]'],
]);

cases('match_phrase_prefix', [
  [{ d: 'quick br' }, '"quick br*{50}"'],
  [{ d: 'br' }, '"br*{50}"'],
  [{ d: { query: 'quick br', max_expansions: 5, slop: 1 } }, '"quick br*{5}"~1'],
  [
    { tags: 'a' },
    'error: failed to create query: Can only use phrase prefix queries on text fields - not on [tags] which is of type [keyword]',
  ],
]);

cases('match_bool_prefix', [
  [{ d: 'quick br' }, 'quick br*'],
  [{ d: 'br' }, 'br*'],
  [{ d: 'quick br ' }, 'quick br'],
  [{ d: { query: 'quick br', operator: 'and' } }, '+quick +br*'],
  [{ d: { query: 'a b c', minimum_should_match: 2 } }, '(a b c*)~2'],
  [{ tags: 'Quick br' }, 'tags:Quick br*'],
]);

cases('multi_match', [
  [{ query: 'quick', fields: ['d', 'e'] }, 'best(quick | e:quick)'],
  [{ query: 'quick brown', fields: ['d^2', 'e'] }, 'best((quick brown)^2 | e:quick e:brown)'],
  [{ query: 'quick', fields: 'd' }, 'quick'],
  [{ query: 'quick', fields: ['d^2', 'd^3'] }, 'quick^6'],
  [{ query: 'quick', fields: ['book.*'] }, 'best(book.title:quick | book.genre:quick)'],
  [{ query: 'quick', fields: ['d', 'nope'] }, 'quick'],
  [{ query: 'quick', fields: ['nope'] }, 'nothing'],
  [{ query: 'quick', fields: ['d', 'people.name'] }, 'quick'],
  [{ query: 'quick', fields: ['d', 'e'], tie_breaker: 0.3 }, 'best(quick | e:quick)+0.3'],
  [{ query: 'quick', fields: ['d', 'e'], type: 'most_fields' }, 'best(quick | e:quick)+1'],
  [{ query: 'a b', fields: ['d', 'e'], type: 'phrase', slop: 1 }, 'best("a b"~1 | e:"a b"~1)'],
  [{ query: 'a b', fields: ['d', 'e'], type: 'phrase_prefix' }, 'best("a b*{50}" | e:"a b*{50}")'],
  [{ query: 'a b', fields: ['d', 'e'], type: 'bool_prefix' }, 'best(a b* | e:a e:b*)+1'],
  [{ query: 'a b', fields: ['d', 'e'], operator: 'and' }, 'best(+a +b | +e:a +e:b)'],
  [{ query: 'a b c', fields: ['d', 'e'], minimum_should_match: 2 }, 'best((a b c)~2 | (e:a e:b e:c)~2)'],
  [{ query: 'quikc', fields: ['d', 'e'], fuzziness: 'AUTO' }, 'best(quikc~1 | e:quikc~1)'],
  [{ query: 'fox', fields: ['d', 'amount'] }, 'error: failed to create query: For input string: "fox"'],
  [{ query: 'fox', fields: ['d', 'amount'], lenient: true }, 'fox'],
  [{ query: '...', fields: ['d', 'e'] }, 'nothing'],
  [{ query: '...', fields: ['d'], zero_terms_query: 'all' }, '*:*'],
  [{ fields: ['d'] }, 'error: No text specified for multi_match query'],
  [{ query: 'a', fields: ['d^x'] }, 'error: [multi_match] failed to parse the boost of field [d^x]'],
  [
    { query: 'a', fields: ['d'], type: 'phrase', fuzziness: 1 },
    'error: Fuzziness not allowed for type [phrase]',
  ],
  [
    { query: 'a', fields: ['d'], type: 'worst' },
    'error: failed to parse [multi_match] query type [worst]. unknown type.',
  ],
  [
    { query: 'a', fields: ['d'], type: 'cross_fields' },
    'error: [multi_match] type [cross_fields] is not supported: fields are not scored as if they were one',
  ],
  [{ query: 'a', field: 'd' }, 'error: [multi_match] query does not support [field]'],
]);

it('multi_match: all fields are asked where none is named, and what does not fit is overlooked', () => {
  expect(read({ multi_match: { query: 'fox' } })).toMatch(/^best\(fox \| e:fox \| /);
  expect(read({ multi_match: { query: 'fox', fields: ['*'], lenient: false } })).toMatch(/^error: /);
});

cases('bool', [
  [{}, '*:*'],
  [{ boost: 2 }, '*:*^2'],
  [{ must: { term: { d: 'a' } } }, '+a'],
  [
    { must: [{ term: { d: 'a' } }], should: [{ term: { d: 'b' } }], must_not: { term: { d: 'c' } } },
    '+a b -c',
  ],
  [{ filter: { term: { d: 'a' } }, should: { term: { d: 'b' } } }, 'b #a'],
  [{ should: [{ term: { d: 'a' } }, { term: { d: 'b' } }] }, 'a b'],
  [{ should: [{ term: { d: 'a' } }], must_not: [{ term: { d: 'b' } }] }, 'a -b'],
  [{ must_not: [{ term: { d: 'a' } }] }, '#*:* -a'],
  [{ must_not: [{ term: { d: 'a' } }], minimum_should_match: 1 }, '#*:* -a'],
  [{ must_not: [{ term: { d: 'a' } }], adjust_pure_negative: false }, 'nothing'],
  [{ must: [{ term: { d: 'a' } }], minimum_should_match: 1 }, '(+a)~1'],
  [{ must: { term: { d: 'a' } }, should: { term: { d: 'b' } }, minimum_should_match: 1 }, '(+a b)~1'],
  [{ should: [{ term: { d: 'a' } }, { term: { d: 'b' } }], minimum_should_match: 0 }, 'a b'],
  [{ should: [{ term: { d: 'a' } }, { term: { d: 'b' } }], minimum_should_match: 3 }, '(a b)~3'],
  [{ should: [{ term: { d: 'a' } }, { term: { d: 'b' } }], minimum_should_match: -1 }, 'a b'],
  [{ must: { term: { d: 'a' } }, boost: 2 }, '(+a)^2'],
  [{ must: [{ bool: { should: { term: { d: 'a' } } } }] }, '+(a)'],
  [{ must: null }, '*:*'],
  [{ musts: [] }, 'error: [bool] unknown field [musts]'],
  [{ must: [{}] }, 'error: query malformed, empty clause found'],
  [{ must: 5 }, 'error: [_na] query malformed, must start with start_object'],
  [{ must: [{ foo: {} }] }, 'error: unknown query [foo]'],
  [{ minimum_should_match: 'two' }, 'error: failed to create query: For input string: "two"'],
  [
    { boost: -1 },
    'error: negative [boost] are not allowed in [bool], use a value between 0 and 1 to deboost',
  ],
  [{ boost: 'x' }, 'error: [bool] failed to parse field [boost]'],
]);

cases('constant_score', [
  [{ filter: { match: { d: 'a b' } } }, 'constant(a b)'],
  [{ filter: { term: { d: 'a' } }, boost: 1.5 }, 'constant(a)^1.5'],
  [{ filter: { term: { nope: 'a' } } }, 'nothing'],
  [{ boost: 2 }, "error: [constant_score] requires a 'filter' element"],
  [{ filter: [] }, 'error: unexpected token [START_ARRAY]'],
  [{ filter: { term: { d: 'a' } }, must: {} }, 'error: [constant_score] query does not support [must]'],
]);

cases('dis_max', [
  [{ queries: [{ term: { d: 'a' } }, { term: { e: 'b' } }] }, 'best(a | e:b)'],
  [
    { queries: [{ term: { d: 'a' } }, { term: { e: 'b' } }], tie_breaker: 0.7, boost: 2 },
    'best(a | e:b)+0.7^2',
  ],
  [{ queries: { term: { d: 'a' } } }, 'a'],
  [{ queries: [] }, "error: [dis_max] requires 'queries' field with at least one clause"],
  [{ queries: [{ term: { d: 'a' } }], tie: 1 }, 'error: [dis_max] query does not support [tie]'],
]);

cases('term', [
  [{ d: 'Quick' }, 'Quick'],
  [{ tags: { value: 'Quick Brown', boost: 2, _name: 'x' } }, 'tags:Quick Brown^2'],
  [{ tags: 5 }, 'tags:5'],
  [{ tags: true }, 'tags:true'],
  [{ tags: { value: 'A*b', case_insensitive: true } }, 'tags:A\\*bi'],
  [{ amount: '12' }, 'amount:12'],
  [{ active: 'true' }, 'active:true'],
  [{ nope: 'x' }, 'nothing'],
  [{ book: 'x' }, 'nothing'],
  [{ 'people.age': 5 }, 'nothing'],
  [{ _id: 7 }, 'ids(7)'],
  [{ d: ['a'] }, 'error: [term] query does not support array of values'],
  [{ d: 'a', e: 'b' }, "error: [term] query doesn't support multiple fields, found [d] and [e]"],
  [{ d: null }, 'error: value cannot be null'],
  [{ d: { value: 'a', fuzziness: 1 } }, 'error: [term] query does not support [fuzziness]'],
  [
    { amount: { value: 1, case_insensitive: true } },
    'error: [amount] field which is of type [integer], does not support case insensitive term queries',
  ],
]);

cases('terms', [
  [{ tags: ['a', 'b', 'a'] }, 'tags:in(a, b)'],
  [{ d: ['a'], boost: 2, _name: 'x' }, 'in(a)^2'],
  [{ tags: [1, true] }, 'tags:in(1, true)'],
  [{ amount: [1, '2', 2.5, 99_999_999_999] }, 'amount:in(1, 2)'],
  [{ amount: [2.5] }, 'nothing'],
  [{ active: [true, 'false'] }, 'active:in(true, false)'],
  [{ day: ['2024-01-02'] }, 'constant(day:[1704153600000 TO 1704239999999])'],
  [{ _id: ['1', 2] }, 'ids(1, 2)'],
  [{ tags: [] }, 'nothing'],
  [{ nope: ['a'] }, 'nothing'],
  [{ tags: ['a'], d: ['b'] }, 'error: [terms] query does not support multiple fields'],
  [{ tags: 'a' }, 'error: [terms] query does not support [tags]'],
  [{ tags: [null] }, 'error: No value specified for terms query'],
  [
    { tags: { index: 'x', id: '1', path: 'y' } },
    'error: [terms] query does not support a lookup of terms, found one for [tags]',
  ],
  [{ amount: ['ten'] }, 'error: failed to create query: For input string: "ten"'],
  [
    { boost: 2 },
    'error: [terms] query requires a field name, followed by array of terms or a document lookup specification',
  ],
]);

cases('ids', [
  [{ values: ['1', 2] }, 'ids(1, 2)'],
  [{ values: '7', boost: 2 }, 'ids(7)^2'],
  [{ values: [] }, 'nothing'],
  [{}, 'nothing'],
  [{ value: ['1'] }, 'error: [ids] unknown field [value]'],
  [{ values: [{}] }, 'error: [ids] unknown token [START_OBJECT] after [values]'],
]);

cases('exists', [
  [{ field: 'd' }, 'exists(d)'],
  [{ field: 'amount', boost: 2 }, 'exists(amount)^2'],
  [{ field: 'book' }, 'constant(exists(book.title) exists(book.genre))'],
  [{ field: 'book.*' }, 'constant(exists(book.title) exists(book.genre))'],
  [{ field: 'people' }, 'nothing'],
  [{ field: 'people.name' }, 'nothing'],
  [{ field: 'hidden' }, 'nothing'],
  [{ field: 'picture' }, 'nothing'],
  [{ field: 'nope' }, 'nothing'],
  [{ field: '_id' }, 'constant(*:*)'],
  [{}, 'error: [exists] must be provided with a [field]'],
  [{ fields: ['d'] }, 'error: [exists] query does not support [fields]'],
]);

cases('prefix', [
  [{ d: 'Qu' }, 'Qu*'],
  [{ tags: { value: 'Qu', case_insensitive: true, rewrite: 'constant_score', boost: 2 } }, 'tags:Qu*i^2'],
  [{ nope: 'a' }, 'nothing'],
  [
    { amount: '1' },
    'error: Can only use prefix queries on keyword and text fields - not on [amount] which is of type [integer]',
  ],
  [{ d: { prefix: 'a', x: 1 } }, 'error: [prefix] query does not support [x]'],
]);

cases('wildcard', [
  [{ d: 'Q?i*' }, 'Q?i*'],
  [{ tags: { wildcard: 'q*', boost: 2 } }, 'tags:q*^2'],
  [{ tags: { value: 'q\\*', case_insensitive: true } }, 'tags:q\\*i'],
  [
    { day: '2024*' },
    'error: Can only use wildcard queries on keyword and text fields - not on [day] which is of type [date]',
  ],
  [{ d: {} }, 'error: value cannot be null'],
]);

cases('regexp', [
  [{ d: 'q.*k' }, '/q.*k/'],
  [
    { tags: { value: 'Q.*', flags: 'ALL', case_insensitive: true, max_determinized_states: 10 } },
    'tags:/Q.*/i',
  ],
  [{ tags: { value: 'a<1-5>@[~]"&"\\#~', flags: 'NONE' } }, 'tags:/a\\<1-5\\>\\@[~]"&"\\#\\~/'],
  [{ tags: { value: 'a<1-5>@', flags: 'INTERVAL|EMPTY' } }, 'tags:/a<1-5>\\@/'],
  [{ tags: { value: 'a', flags: 'SOME' } }, 'error: Unknown regexp flag [SOME]'],
  [
    { amount: '1' },
    'error: Can only use regexp queries on keyword and text fields - not on [amount] which is of type [integer]',
  ],
  [
    { d: 'a'.repeat(1001) },
    'error: failed to create query: The length of regex [1001] used in the Regexp Query request has exceeded the allowed maximum of [1000]. This maximum can be set by changing the [index.max_regex_length] index level setting.',
  ],
]);

it('regexp: an expression that is none is refused', () => {
  expect(read({ regexp: { d: 'a(b' } })).toMatch(/^error: failed to create query: /);
});

cases('fuzzy', [
  [{ d: 'ab' }, 'ab'],
  [{ d: 'abc' }, 'abc~1'],
  [{ d: 'abcdef' }, 'abcdef~2'],
  [{ d: { value: 'Abcdef', fuzziness: 1, prefix_length: 2 } }, 'Abcdef~1{prefix 2}'],
  [{ d: { value: 'abc', fuzziness: 'AUTO:4,8' } }, 'abc'],
  [{ d: { value: 'abcd', fuzziness: 'auto:4,8', transpositions: false } }, 'abcd~1{no swaps}'],
  [{ d: { value: 'abcdef', fuzziness: 3 } }, 'abcdef~2'],
  [{ d: { value: 'abc', prefix_length: 3 } }, 'abc'],
  [{ d: { value: 'abcdef', max_expansions: 5000, boost: 2 } }, 'abcdef~2{1024 terms}^2'],
  [{ nope: 'a' }, 'nothing'],
  [
    { amount: '1' },
    'error: failed to create query: Can only use fuzzy queries on keyword and text fields - not on [amount] which is of type [integer]',
  ],
  [{ d: { value: 'a', fuzziness: 'AUTO:8,4' } }, 'error: [fuzzy] illegal fuzziness value [AUTO:8,4]'],
]);

cases('nested', [
  [
    { path: 'people', query: { match: { 'people.name': 'ann lee' } } },
    'people.avg(people.name:ann people.name:lee)',
  ],
  [{ path: 'people', query: { match_all: {} }, score_mode: 'none', boost: 2 }, 'people.none(*:*)^2'],
  [
    { path: 'people', query: { range: { 'people.age': { gte: 5 } } }, score_mode: 'sum' },
    'people.sum(people.age:[5 TO *])',
  ],
  [{ path: 'people', query: { match: { d: 'a' } } }, 'nothing'],
  [{ path: 'people', query: { match: { name: 'ann' } } }, 'nothing'],
  [
    { path: 'people', query: { exists: { field: 'people' } } },
    'people.avg(constant(exists(people.name) exists(people.name.exact) exists(people.age)))',
  ],
  [
    { path: 'people', query: { bool: { must_not: { term: { 'people.age': 5 } } } } },
    'people.avg(#*:* -people.age:5)',
  ],
  [
    {
      path: 'people',
      query: { nested: { path: 'people.skills', query: { term: { 'people.skills.skill': 'c' } } } },
    },
    'people.avg(people.skills.avg(people.skills.skill:c))',
  ],
  [
    { path: 'people.skills', query: { term: { 'people.skills.skill': 'c' } } },
    'people.skills.avg(people.skills.skill:c)',
  ],
  [{ path: 'people', query: { nested: { path: 'events', query: { match_all: {} } } } }, 'nothing'],
  [{ path: 'people', query: { term: { _id: 1 } } }, 'nothing'],
  [
    { path: 'nope', query: { match_all: {} } },
    'error: failed to create query: [nested] failed to find nested object under path [nope]',
  ],
  [{ path: 'nope', query: { match_all: {} }, ignore_unmapped: true }, 'nothing'],
  [
    { path: 'book', query: { match_all: {} } },
    'error: failed to create query: [nested] nested object under path [book] is not of nested type',
  ],
  [{ query: { match_all: {} } }, "error: [nested] requires 'path' field"],
  [{ path: 'people' }, "error: [nested] requires 'query' field"],
  [
    { path: 'people', query: { match_all: {} }, score_mode: 'median' },
    'error: No score mode for child query [median] found',
  ],
  [
    { path: 'people', query: { match_all: {} }, inner_hits: {} },
    'error: [nested] query does not support [inner_hits]',
  ],
]);

describe('a query', () => {
  it.each([
    [{}, 'query malformed, empty clause found'],
    [5, '[_na] query malformed, must start with start_object'],
    [null, '[_na] query malformed, must start with start_object'],
    [[{ match_all: {} }], '[_na] query malformed, must start with start_object'],
    [{ foo: {} }, 'unknown query [foo]'],
    [{ constructor: {} }, 'unknown query [constructor]'],
    [JSON.parse('{"__proto__": {}}'), 'unknown query [__proto__]'],
    [{ match: 'a' }, '[match] query malformed, no start_object after query name'],
    [{ match: [] }, '[match] query malformed, no start_object after query name'],
    [
      { match: { d: 'a' }, term: { d: 'a' } },
      '[match] malformed query, expected [END_OBJECT] but found [FIELD_NAME]',
    ],
    [{ script: { script: 'x' } }, 'query [script] is not supported: scripts cannot run here'],
    [{ function_score: {} }, 'query [function_score] is not supported: scores are those of the text alone'],
    [{ geo_distance: {} }, 'query [geo_distance] is not supported: there are no fields with places on a map'],
    [{ knn: {} }, 'query [knn] is not supported: there are no fields with vectors'],
    [
      { has_child: {} },
      'query [has_child] is not supported: there are no documents that are parents of others',
    ],
  ])('%j: %s', (json, message) => {
    expect(read(json)).toBe(`error: ${message}`);
  });
});
