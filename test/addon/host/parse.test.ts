// Public functions and their help, read from the text of a script.
import { expect, test } from 'vitest';
import { parseFunctions } from '../../../addon/host/parse.ts';

const names = (code: string): string[] => parseFunctions(code).map(({ name }) => name);

test('a function is told with its description, parameters and result', () => {
  const [found] = parseFunctions(`
    /**
     * Looks a company up
     * by its website.
     *
     * @param {string|Array<Array<string>>} website The website,
     *   or a range of them.
     * @param {string} [fields] Fields to show.
     * @param {number=} limit - How many.
     * @return {Array} The rows.
     * @customfunction
     */
    function CDAPI_ENRICH(website, fields, limit) { return inner(); function inner() {} }
  `);
  expect(found).toEqual({
    name: 'CDAPI_ENRICH',
    description: 'Looks a company up by its website.',
    params: [
      {
        name: 'website',
        type: 'string|Array<Array<string>>',
        description: 'The website, or a range of them.',
        optional: false,
      },
      { name: 'fields', type: 'string', description: 'Fields to show.', optional: true },
      { name: 'limit', type: 'number', description: 'How many.', optional: true },
    ],
    returns: 'The rows.',
    custom: true,
  });
});

test('a function without JSDoc is told by the names of its parameters', () => {
  const [found] = parseFunctions('function plain(one, two = 2, ...rest) {}');
  expect(found).toMatchObject({ name: 'plain', custom: false, description: '', returns: '' });
  expect(found?.params.map(({ name }) => name)).toEqual(['one', 'two', 'rest']);
});

test('only declarations at the top level count, private ones do not', () => {
  expect(
    names(`function a() {} async function b() {} function* c() {} function d_() {}
    const e = function f() {}; var g = () => { function h() {} }; (function i() {})();
    if (true) { function j() {} } class K { function() {} } `),
  ).toEqual(['a', 'b', 'c']);
});

test('braces and the word function in texts, templates, comments and expressions mislead nobody', () => {
  const code = String.raw`
    var a = "function no1() {", b = '}\'{'; // function no2() {
    /* function no3() { */ var c = ~$ { { x: ~}~ }.x } $~ + ~function no4() {~;
    var d = /[/}"]function no5() {/g, e = 4 / 2 / 1, f = [/}/, (1) / 2, "x" / 3];
    function one(x = g(")")) { return /}/.test("{") ? ~$ {x}~ : x / 2 }
    var begin = 1, g = begin / 2; // a slash after a word that ends in a keyword: function no6() { / }
    function two() {}
    var functional = 1; function functionThree() {}`;
  expect(names(code.replaceAll('~', '`').replaceAll('$ {', '${'))).toEqual(['one', 'two', 'functionThree']);
});

test('a comment belongs to the declaration right after it', () => {
  const found = parseFunctions(
    '/** @customfunction */ var x = 1; function A() {}\n/** Says b. @customfunction */\nfunction B() {}\n/** c\n * @customfunction */\n// note\nfunction C() {}',
  );
  expect(found.map(({ name, description, custom }) => [name, description, custom])).toEqual([
    ['A', '', false],
    ['B', 'Says b. @customfunction', false],
    ['C', 'c', true],
  ]);
});

test('of two functions with one name the last counts', () => {
  expect(parseFunctions('/** one */ function A() {}\n/** two */ function A() {}')).toMatchObject([
    { name: 'A', description: 'two' },
  ]);
});
